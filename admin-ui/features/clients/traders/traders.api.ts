import { type Answer, type Body, buildUrl, call, type QueryOf, type Row } from '../../../api.ts'
import { saveFile } from '../../../lib/api/save-file.ts'

export type Trader = Answer<'traders.get'>
export type NewTrader = Body<'traders.create'>
export type TraderChange = Body<'traders.update'>
export type Overview = Answer<'traders.overview'>
export type Note = Row<'traders.notes.list'>
export type TimelineEntry = Row<'traders.timeline'>

export const fetchTraders = (query: QueryOf<'traders.list'>) => call('traders.list', { query })
export const fetchTrader = (id: string) => call('traders.get', { params: { id } })
export const fetchOverview = (id: string) => call('traders.overview', { params: { id } })
export const createTrader = (body: NewTrader) => call('traders.create', { body })
export const updateTrader = (id: string, body: TraderChange, version: number) =>
  call('traders.update', { params: { id }, body, ifMatch: version })
export const deleteTrader = (id: string, version: number) =>
  call('traders.delete', { params: { id }, ifMatch: version })
export const restoreTrader = (id: string) => call('traders.restore', { params: { id } })
export const inviteTrader = (id: string) => call('traders.invite', { params: { id } })
export const fetchNotes = (id: string, query: QueryOf<'traders.notes.list'>) =>
  call('traders.notes.list', { params: { id }, query })
export const addNote = (id: string, body: string) => call('traders.notes.add', { params: { id }, body: { body } })
export const fetchTimeline = (id: string, query: QueryOf<'traders.timeline'>) =>
  call('traders.timeline', { params: { id }, query })

/** Reads the affiliate who brought the listed clients. */
export const affiliateQuery = (id: string) => ({
  queryKey: ['affiliates', 'named', id],
  queryFn: () => call('affiliates.get', { params: { id } }),
})

/** Saves all personal data of one client as a file; a refusal is thrown, not saved. */
export const downloadBundle = (id: string): Promise<void> =>
  saveFile(buildUrl('traders.privacyBundle', { params: { id } }))
