import { type Body, call, type QueryOf, type Row } from '../../../api.ts'

export type Exception = Row<'psp.exceptions.list'>
export type Gateway = Row<'psp.list'>

export const fetchGateways = (query: QueryOf<'psp.list'>) => call('psp.list', { query })
export const createGateway = (body: Body<'psp.create'>) => call('psp.create', { body })
export const updateGateway = ({ id, version }: Gateway, body: Body<'psp.update'>) =>
  call('psp.update', { params: { id }, body, ifMatch: version })
export const deleteGateway = ({ id, version }: Gateway) => call('psp.delete', { params: { id }, ifMatch: version })

export const fetchExceptions = (query: QueryOf<'psp.exceptions.list'>) => call('psp.exceptions.list', { query })
export const closeException = ({ id, version }: Exception, body: Body<'psp.exceptions.close'>) =>
  call('psp.exceptions.close', { params: { id }, body, ifMatch: version })
