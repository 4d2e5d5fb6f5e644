import { afterAll, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { createTestApp } from '../../../testing/app.ts'
import { openMail } from '../../base/mails/mails.service.ts'
import { mails } from '../../base/mails/mails.table.ts'
import { mailAdministrators, mailOwners } from './users.notices.ts'
import { users } from './users.table.ts'

const app = createTestApp()
afterAll(() => app.close())

test('a notice is mailed to the active holders of a role, each with their name, and has no link', async () => {
  const firm = await app.firm('omicron')
  const ctx = systemCtx(app.platform, firm.tenantId, 'test')
  await ctx.write('test.notices', (tx) => {
    const roles = ['owner' as const, 'admin' as const]
    tx.insert(users, { email: 'away@omicron.test', displayName: 'Away', roles, status: 'disabled' })
    mailOwners(tx, ctx, () => ({ subject: 'to owners', text: 'Something happened.' }))
    mailAdministrators(tx, ctx, () => ({ subject: 'to administrators', text: 'Something happened.' }))
    return null
  })
  const sent = (subject: string) => ctx.db.list(mails, { subject }).map((row) => [row.recipient, row.link])
  expect(sent('to owners')).toEqual([['owner@omicron.test', false]])
  expect(sent('to administrators')).toEqual([['platform_admin@omicron.test', false]])
  const [notice] = ctx.db.list(mails, { subject: 'to owners' })
  expect(notice && openMail(ctx.secrets, notice)).toContain('owner of omicron')
})
