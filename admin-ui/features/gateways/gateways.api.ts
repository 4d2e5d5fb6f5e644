import type { Static } from '@sinclair/typebox'
import type { CloseExceptionIn, Exception, PspIn, PspOut, PspPatch } from '../../../src/modules/psp/psp.model.ts'

import { del, get, type Page, patch, post, type Query } from '../../api.ts'

export type { Exception }
export type Gateway = Static<typeof PspOut>

const at = (id: string): string => `/v1/psp/connections/${id}`

export const fetchGateways = (query: Query): Promise<Page<Gateway>> => get('/v1/psp/connections', query)
export const createGateway = (body: Static<typeof PspIn>): Promise<Gateway> => post('/v1/psp/connections', body)
export const updateGateway = ({ id, version }: Gateway, body: Static<typeof PspPatch>): Promise<Gateway> =>
  patch(at(id), body, version)
export const deleteGateway = ({ id, version }: Gateway): Promise<void> => del(at(id), version)

export const fetchExceptions = (query: Query): Promise<Page<Exception>> => get('/v1/psp/exceptions', query)
export const closeException = ({ id, version }: Exception, body: Static<typeof CloseExceptionIn>): Promise<Exception> =>
  post(`/v1/psp/exceptions/${id}/close`, body, version)
