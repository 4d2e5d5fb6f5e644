import type { Static } from '@sinclair/typebox'
import type { HitOut, ListIn, ListOut } from '../../../src/modules/sanctions/sanctions.model.ts'
import { get, type Page, post, type Query } from '../../api.ts'
import { type Named, withTraderNames } from '../traders/trader-names.ts'

export type Hit = Static<typeof HitOut>
export type NamedHit = Named<Hit>
export type SanctionsList = Static<typeof ListOut>
export type NewList = Static<typeof ListIn>

export const fetchHits = async (query: Query): Promise<Page<NamedHit>> =>
  withTraderNames(await get<Page<Hit>>('/v1/sanctions/hits', query))
export const decideHit = ({ id, version }: Hit, decision: 'clear' | 'confirm', reason: string): Promise<Hit> =>
  post(`/v1/sanctions/hits/${id}/${decision}`, { reason }, version)
export const fetchLists = (): Promise<Page<SanctionsList>> => get('/v1/sanctions/lists')
export const loadList = (body: NewList): Promise<SanctionsList> => post('/v1/sanctions/lists', body)

export const SOURCE_LABELS: Record<Hit['source'], string> = {
  ofac_sdn: 'OFAC SDN',
  eu: 'EU consolidated',
  un: 'UN consolidated',
}
export const SOURCE_OPTIONS = Object.entries(SOURCE_LABELS).map(([value, label]) => ({ value, label }))
