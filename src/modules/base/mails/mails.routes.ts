import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import type { Recipients } from './mails.hooks.ts'
import { MailOut, MailWithText, mailList, toMail } from './mails.model.ts'
import { readMail } from './mails.service.ts'
import { SendMailsIn, SendMailsOut, sendMails } from './sending.ts'

const read = { scope: 'mails:read', role: 'admin' } as const

/** Mails that wait, were sent, or are held here for reading because no mail server is configured. */
export const mailRoutes = (recipients: Recipients) =>
  declareRoutes('Mails')
    .get('/v1/mails', ({ ctx, query }) => readPage(ctx, mailList, query, toMail), {
      access: read,
      query: mailList.query,
      ...op('mails.list', 'List mails, without their text', { 200: Page(MailOut) }),
    })
    .get('/v1/mails/:id', ({ ctx, params }) => readMail(ctx, recipients, params.id), {
      access: { ...read, closedToViews: true, fresh: true },
      params: IdParam,
      ...op('mails.get', 'One mail with its text; audited', { 200: MailWithText }, [404]),
    })
    .post('/v1/mails/:id/send', ({ ctx, params, body }) => sendMails(ctx, recipients, params.id, body), {
      access: { scope: 'mails:write', role: 'admin', fresh: true },
      params: IdParam,
      body: SendMailsIn,
      ...op('mails.send', 'Send failed or held mails again', { 200: SendMailsOut }, [404, 409]),
    })
