import type { Static } from '@sinclair/typebox'
import type { Mail, MailWithText } from '../../../src/modules/mails/mails.model.ts'
import { get, type Page, type Query } from '../../api.ts'

export type { Mail }
export type OpenMail = Static<typeof MailWithText>

export const fetchMails = (query: Query): Promise<Page<Mail>> => get('/v1/mails', query)
export const fetchMail = (id: string): Promise<OpenMail> => get(`/v1/mails/${id}`)
