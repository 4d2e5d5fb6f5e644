import type { Static } from '@sinclair/typebox'
import type {
  ApiKey,
  ApiKeyIn,
  ApiKeyPatch,
  NewApiKey,
  ScopesOut,
} from '../../../src/modules/api-keys/api-keys.model.ts'
import { del, get, type Page, patch, post, type Query } from '../../api.ts'

export type { ApiKey, NewApiKey }
export type Scope = ApiKey['scopes'][number]
export type ScopeInfo = Static<typeof ScopesOut>['data'][number]

const at = (id: string): string => `/v1/api-keys/${id}`

export const fetchApiKeys = (query: Query): Promise<Page<ApiKey>> => get('/v1/api-keys', query)
export const fetchScopes = (): Promise<{ data: ScopeInfo[] }> => get('/v1/api-keys/scopes')
export const createApiKey = (body: Static<typeof ApiKeyIn>): Promise<NewApiKey> => post('/v1/api-keys', body)
export const updateApiKey = (id: string, body: Static<typeof ApiKeyPatch>, version: number): Promise<ApiKey> =>
  patch(at(id), body, version)
export const revokeApiKey = ({ id, version }: ApiKey): Promise<void> => del(at(id), version)
