import { type Answer, type Body, call, type QueryOf, type Row } from '../../api.ts'

export type ApiKey = Row<'api-keys.list'>
export type NewApiKey = Answer<'api-keys.create'>
export type Scope = ApiKey['scopes'][number]
export type ScopeInfo = Row<'api-keys.scopes'>

export const fetchApiKeys = (query: QueryOf<'api-keys.list'>) => call('api-keys.list', { query })
export const fetchScopes = () => call('api-keys.scopes')
export const createApiKey = (body: Body<'api-keys.create'>) => call('api-keys.create', { body })
export const updateApiKey = (id: string, body: Body<'api-keys.update'>, version: number) =>
  call('api-keys.update', { params: { id }, body, ifMatch: version })
export const revokeApiKey = ({ id, version }: ApiKey) => call('api-keys.revoke', { params: { id }, ifMatch: version })
