import { type Answer, type Body, call, type QueryOf, type Row } from '../../../api.ts'

export type ConnectionRow = Row<'ads.connections.list'>
export type Connection = Answer<'ads.connections.get'>
export type ConnectionTest = Answer<'ads.connections.test'>
export type Check = ConnectionTest['checks'][number]
export type Backfill = Answer<'ads.backfill'>

export const fetchConnections = (query: QueryOf<'ads.connections.list'>) => call('ads.connections.list', { query })
export const fetchConnection = (id: string) => call('ads.connections.get', { params: { id } })
export const createConnection = (body: Body<'ads.connections.create'>) => call('ads.connections.create', { body })
export const updateConnection = ({ id, version }: Connection, body: Body<'ads.connections.update'>) =>
  call('ads.connections.update', { params: { id }, body, ifMatch: version })
export const deleteConnection = ({ id, version }: Connection) =>
  call('ads.connections.delete', { params: { id }, ifMatch: version })
export const testConnection = (id: string) => call('ads.connections.test', { params: { id } })
export const startBackfill = (body: Body<'ads.backfill'>) => call('ads.backfill', { body })
