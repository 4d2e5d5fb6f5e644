import { type Answer, type Body, call, type QueryOf, type Row } from '../../../api.ts'

export type Instruction = Row<'platforms.instructions.list'>
export type Passwords = Answer<'accounts.passwords.reveal'>

export const fetchInstructions = (query: QueryOf<'platforms.instructions.list'>) =>
  call('platforms.instructions.list', { query })
export const cancelInstruction = (id: string) => call('platforms.instructions.cancel', { params: { id } })
export const openAccount = (body: Body<'accounts.open'>) => call('accounts.open', { body })
export const changeAccount = (id: string, body: Body<'accounts.changes'>) =>
  call('accounts.changes', { params: { id }, body })
export const revealPasswords = (token: string) => call('accounts.passwords.reveal', { body: { token } })
export const fetchTransfer = async (id: string) => (await call('transfers.list', { query: { q: id } })).data[0] ?? null
export const fetchConnections = (query: QueryOf<'platforms.connections.list'>) =>
  call('platforms.connections.list', { query })
