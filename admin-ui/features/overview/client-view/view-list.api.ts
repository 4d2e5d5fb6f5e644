import { call, type QueryOf, type Row } from '../../../api.ts'
import { traderName } from '../../clients/traders/trader-names.ts'
import { fetchTraders } from '../../clients/traders/traders.api.ts'

export type ViewRow = Row<'views.list'> & { traderName: string | null }

/** Reads views, with the names of the clients whom they showed. */
export const fetchViews = async (query: QueryOf<'views.list'>) => {
  const page = await call('views.list', { query })
  const ids = page.data.flatMap(({ traderId }) => (traderId === null ? [] : [traderId]))
  const found = ids.length === 0 ? [] : (await fetchTraders({ ids: [...new Set(ids)].join(','), limit: 200 })).data
  const names = new Map(found.map((trader) => [trader.id, traderName(trader)]))
  return { ...page, data: page.data.map((row) => ({ ...row, traderName: names.get(row.traderId ?? '') ?? null })) }
}
