import { type Body, call, type Page, type QueryOf, type Row } from '../../../api.ts'
import { choices } from '../../../lib/text/choices.ts'
import type { WithClientName } from '../traders/trader-names.ts'
import { say } from './words.ts'

export type Hit = Row<'sanctions.hits.list'>
/** `isNamesake` is true if a row of the same page is about another client of the same name. */
export type NamedHit = WithClientName<Hit> & { isNamesake?: boolean }
export type SanctionsList = Row<'sanctions.lists.list'>
export type NewList = Body<'sanctions.lists.load'>

export const fetchHits = async (query: QueryOf<'sanctions.hits.list'>): Promise<Page<NamedHit>> => {
  const page = await call('sanctions.hits.list', { query })
  const hasNamesake = ({ traderId, traderName }: (typeof page.data)[number]): boolean =>
    page.data.some((other) => other.traderName === traderName && other.traderId !== traderId)
  return { ...page, data: page.data.map((hit) => ({ ...hit, isNamesake: hasNamesake(hit) })) }
}
export const fetchHit = (id: string) => call('sanctions.hits.get', { params: { id } })
export const decideHit = ({ id, version }: Hit, decision: 'clear' | 'confirm', reason: string) =>
  call(`sanctions.hits.${decision}`, { params: { id }, body: { reason }, ifMatch: version })
export const fetchLists = () => call('sanctions.lists.list')
export const loadList = (body: NewList) => call('sanctions.lists.load', { body })

export const SOURCE_LABELS: Record<Hit['source'], string> = {
  ofac_sdn: say('sanctions.source.ofac_sdn'),
  eu: say('sanctions.source.eu'),
  un: say('sanctions.source.un'),
}
export const SOURCE_OPTIONS = choices(SOURCE_LABELS)

/** The public page from which each publisher offers its list. */
export const PUBLISHERS: Record<NewList['source'], string> = {
  ofac_sdn: 'https://sanctionslist.ofac.treas.gov/Home/SdnList',
  eu: 'https://data.europa.eu/data/datasets/consolidated-list-of-persons-groups-and-entities-subject-to-eu-financial-sanctions',
  un: 'https://main.un.org/securitycouncil/en/content/un-sc-consolidated-list',
}
