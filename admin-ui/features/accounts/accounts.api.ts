import type { Static } from '@sinclair/typebox'
import type { Account, AccountIn, AccountPatch } from '../../../src/modules/accounts/accounts.model.ts'
import { del, get, type Page, patch, post, type Query } from '../../api.ts'
import { type Named, withTraderNames } from '../traders/trader-names.ts'

export type { Account }
export type NamedAccount = Named<Account>

const at = (id: string): string => `/v1/accounts/${id}`

export const fetchAccounts = (query: Query): Promise<Page<Account>> => get('/v1/accounts', query)
export const fetchNamedAccounts = async (query: Query): Promise<Page<NamedAccount>> =>
  withTraderNames(await fetchAccounts(query))
export const fetchAccount = (id: string): Promise<Account> => get(at(id))
export const createAccount = (body: Static<typeof AccountIn>): Promise<Account> => post('/v1/accounts', body)
export const updateAccount = (id: string, body: Static<typeof AccountPatch>, version: number): Promise<Account> =>
  patch(at(id), body, version)
export const deleteAccount = ({ id, version }: Account): Promise<void> => del(at(id), version)
