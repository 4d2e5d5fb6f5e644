import type { Static } from '@sinclair/typebox'
import type { Trader, TraderIn, TraderNoteOut, TraderPatch } from '../../../src/modules/traders/traders.model.ts'
import type { TimelineItem } from '../../../src/modules/traders/traders.timeline.ts'
import { del, get, type Page, patch, post, type Query } from '../../api.ts'

export type { Trader }
export type NewTrader = Static<typeof TraderIn>
export type TraderChange = Static<typeof TraderPatch>
export type Note = Static<typeof TraderNoteOut>
export type TimelineEntry = Static<typeof TimelineItem>

const at = (id: string): string => `/v1/traders/${id}`

export const fetchTraders = (query: Query): Promise<Page<Trader>> => get('/v1/traders', query)
export const fetchTrader = (id: string): Promise<Trader> => get(at(id))
export const createTrader = (body: NewTrader): Promise<Trader> => post('/v1/traders', body)
export const updateTrader = (id: string, body: TraderChange, version: number): Promise<Trader> =>
  patch(at(id), body, version)
export const deleteTrader = (id: string, version: number): Promise<void> => del(at(id), version)
export const restoreTrader = (id: string): Promise<Trader> => post(`${at(id)}/restore`)
export const inviteTrader = (id: string): Promise<void> => post(`${at(id)}/invite`)
export const fetchNotes = (id: string, query: Query): Promise<Page<Note>> => get(`${at(id)}/notes`, query)
export const addNote = (id: string, body: string): Promise<Note> => post(`${at(id)}/notes`, { body })
export const fetchTimeline = (id: string, query: Query): Promise<Page<TimelineEntry>> =>
  get(`${at(id)}/timeline`, query)
