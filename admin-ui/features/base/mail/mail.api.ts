import { call, type QueryOf, type Row } from '../../../api.ts'

export type Mail = Row<'mails.list'>

export const fetchMails = (query: QueryOf<'mails.list'>) => call('mails.list', { query })
/** Names a mail in a list of results. */
export const mailName = ({ recipient, subject }: Mail): string => `${subject}, ${recipient}`
/** Returns whether a mail did not reach its recipient and can be sent again. */
export const maySend = ({ status }: Mail): boolean => status === 'held' || status === 'failed'
/** Sends mails again; each of several mails has a result. */
export const sendMails = ([id = '', ...ids]: readonly string[]) =>
  call('mails.send', { params: { id }, body: ids.length === 0 ? {} : { ids } })
export const fetchMail = (id: string) => call('mails.get', { params: { id } })
