import { call, type QueryOf, type Row } from '../../api.ts'

export type Mail = Row<'mails.list'>

export const fetchMails = (query: QueryOf<'mails.list'>) => call('mails.list', { query })
export const fetchMail = (id: string) => call('mails.get', { params: { id } })
