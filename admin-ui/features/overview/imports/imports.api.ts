import { type Answer, type Body, buildUrl, call } from '../../../api.ts'

export type Import = Answer<'traders.imports.get'>
export type ImportField = Import['mapping'][string]
export type ImportStatus = Import['status']
export type NewImport = Body<'traders.import'>

export const fetchImports = () => call('traders.imports.list', { query: { limit: 50 } })
export const fetchImport = (id: string) => call('traders.imports.get', { params: { id } })
export const sendImport = (body: NewImport) => call('traders.import', { body })
export const confirmImport = ({ id, version }: Import) =>
  call('traders.imports.confirm', { params: { id }, body: {}, ifMatch: version })
export const undoImport = ({ id, version }: Import) =>
  call('traders.imports.undo', { params: { id }, ifMatch: version })
/** Stops an import that is at work, whichever version it has by then. */
export const stopImport = ({ id }: Import) => call('traders.imports.undo', { params: { id } })
/** Returns the address of the file of what each client is credited. */
export const balancesHref = (id: string): string => buildUrl('traders.imports.balances', { params: { id } })
export const mistakesHref = (id: string): string => buildUrl('traders.imports.errors', { params: { id } })

const AT_WORK: readonly ImportStatus[] = ['receiving', 'checking', 'loading', 'posting', 'undoing']
/** Returns whether the server is at work on a file. */
export const isAtWork = ({ status }: Import): boolean => AT_WORK.includes(status)
