import { call, type QueryOf, type Row } from '../../../api.ts'

export type Mail = Row<'mails.list'>

export const fetchMails = (query: QueryOf<'mails.list'>) => call('mails.list', { query })
/** What a mail is called among others. */
export const mailName = ({ recipient, subject }: Mail): string => `${subject}, ${recipient}`
/** Whether it did not reach its recipient, and can go out once more. */
export const maySend = ({ status }: Mail): boolean => status === 'held' || status === 'failed'
/** Sends mails again; of several each has a result of its own. */
export const sendMails = ([id = '', ...ids]: readonly string[]) =>
  call('mails.send', { params: { id }, body: ids.length === 0 ? {} : { ids } })
export const fetchMail = (id: string) => call('mails.get', { params: { id } })
