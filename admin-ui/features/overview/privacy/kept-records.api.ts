import { call, callForFile, type QueryOf, type Row } from '../../../api.ts'

export type KeptRecord = Row<'keptRecords.list'>

export const fetchKeptRecords = (query: QueryOf<'keptRecords.list'>) => call('keptRecords.list', { query })
/** Saves a record as a file; a refusal is thrown, not saved. */
export const openKeptRecord = (id: string, reason: string): Promise<void> =>
  callForFile('keptRecords.open', { params: { id }, body: { reason } })
