import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { None, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import {
  ApiKeyIn,
  ApiKeyOut,
  ApiKeyPatch,
  apiKeyList,
  listScopes,
  NewApiKeyOut,
  ScopesOut,
  toApiKey,
} from './api-keys.model.ts'
import { createApiKey, revokeApiKey, updateApiKey } from './api-keys.service.ts'

const read = { scope: 'api-keys:read', role: 'admin' } as const
const write = { scope: 'api-keys:write', role: 'admin' } as const

/** The API keys of the firm. RULES “API keys”. */
export const apiKeyRoutes = declareRoutes('API keys')
  .get('/v1/api-keys', ({ ctx, query }) => readPage(ctx, apiKeyList, query, (row) => toApiKey(row, ctx.now())), {
    access: { ...read, closedToViews: true },
    query: apiKeyList.query,
    ...op('apiKeys.list', 'List API keys with their last use', { 200: Page(ApiKeyOut) }),
  })
  .post('/v1/api-keys', ({ ctx, body }) => createApiKey(ctx, body), {
    access: { ...write, fresh: true },
    creates: true,
    body: ApiKeyIn,
    ...op('apiKeys.create', 'Make an API key; it is shown this once', { 201: NewApiKeyOut }),
  })
  .get('/v1/api-keys/scopes', () => listScopes(), {
    access: { scope: 'api-keys:read', role: 'viewer' },
    ...op('apiKeys.scopes', 'Valid scopes and what they open', { 200: ScopesOut }),
  })
  .patch('/v1/api-keys/:id', ({ ctx, params, body, expect }) => updateApiKey(ctx, params.id, body, expect), {
    access: { ...write, fresh: true },
    params: IdParam,
    body: ApiKeyPatch,
    ...op('apiKeys.update', 'Change label, end or networks', { 200: ApiKeyOut }, [404, 409]),
  })
  .delete('/v1/api-keys/:id', ({ ctx, params, expect }) => revokeApiKey(ctx, params.id, expect), {
    access: write,
    empty: true,
    params: IdParam,
    ...op('apiKeys.revoke', 'Revoke a key at once', { 204: None }, [404]),
  })
