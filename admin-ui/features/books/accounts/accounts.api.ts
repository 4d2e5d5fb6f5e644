import { type Answer, type Body, call, type QueryOf } from '../../../api.ts'
import type { WithClientName } from '../../clients/traders/trader-names.ts'

export type Account = Answer<'accounts.get'>
export type NamedAccount = WithClientName<Account>

type Asked = QueryOf<'accounts.list'>

export const fetchAccounts = (query: Asked) => call('accounts.list', { query })
export const fetchAccount = (id: string) => call('accounts.get', { params: { id } })
export const createAccount = (body: Body<'accounts.create'>) => call('accounts.create', { body })
export const updateAccount = (id: string, body: Body<'accounts.update'>, version: number) =>
  call('accounts.update', { params: { id }, body, ifMatch: version })
export const deleteAccount = ({ id, version }: Account) => call('accounts.delete', { params: { id }, ifMatch: version })
