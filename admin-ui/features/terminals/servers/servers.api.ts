import { type Answer, type Body, call, type QueryOf, type Row } from '../../../api.ts'

export type ServerRow = Row<'platforms.connections.list'>
export type Server = Answer<'platforms.connections.get'>
export type Pending = NonNullable<Server['pending']>
export type ServerTest = Answer<'platforms.connections.test'>
export type Check = ServerTest['checks'][number]
type Brought = Answer<'platforms.connections.import'>
export type Newcomers = Exclude<Brought, { id: string }>
export type ServerPatch = Body<'platforms.connections.update'>

export const fetchServers = (query: QueryOf<'platforms.connections.list'>) =>
  call('platforms.connections.list', { query })
export const fetchServer = (id: string) => call('platforms.connections.get', { params: { id } })
export const createServer = (body: Body<'platforms.connections.create'>) =>
  call('platforms.connections.create', { body })
export const updateServer = ({ id, version }: Server, body: ServerPatch) =>
  call('platforms.connections.update', { params: { id }, body, ifMatch: version })
export const deleteServer = ({ id, version }: Server) =>
  call('platforms.connections.delete', { params: { id }, ifMatch: version })
/** Confirms exactly those waiting settings that were shown. */
export const confirmServer = (id: string, version: number) =>
  call('platforms.connections.confirm', { params: { id }, body: { version } })
/** Tests the settings in force, or those that wait. */
export const testServer = (id: string, pending: boolean) =>
  call('platforms.connections.test', { params: { id }, body: pending ? { pending } : {} })

const NO_COUNTS: Newcomers = { logins: 0, clients: 0, withoutEmail: 0, groups: [] }
/** Counts the logins of a server that have no account here, by group; the server is asked whose they are. */
export async function countNewcomers(id: string): Promise<Newcomers> {
  const counted = await call('platforms.connections.import', { params: { id }, body: { dryRun: true } })
  return 'withoutEmail' in counted ? counted : NO_COUNTS
}
/** Makes an import of the clients of these groups, or of all, and returns its id. */
export async function bringIn(id: string, groups?: string[]): Promise<string> {
  const body = { dryRun: false, ...(groups && { groups }) }
  const made = await call('platforms.connections.import', { params: { id }, body })
  return 'id' in made ? made.id : ''
}
