import { type Answer, type Body, call, type QueryOf, type Row } from '../../../api.ts'

export type ApiKey = Row<'apiKeys.list'>
export type NewApiKey = Answer<'apiKeys.create'>
export type Scope = ApiKey['scopes'][number]
export type ScopeInfo = Row<'apiKeys.scopes'>

export const fetchApiKeys = (query: QueryOf<'apiKeys.list'>) => call('apiKeys.list', { query })
export const fetchScopes = () => call('apiKeys.scopes')
export const createApiKey = (body: Body<'apiKeys.create'>) => call('apiKeys.create', { body })
export const updateApiKey = (id: string, body: Body<'apiKeys.update'>, version: number) =>
  call('apiKeys.update', { params: { id }, body, ifMatch: version })
export const revokeApiKey = ({ id, version }: ApiKey) => call('apiKeys.revoke', { params: { id }, ifMatch: version })
