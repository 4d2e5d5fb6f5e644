import { type Answer, call, type QueryOf, type Row } from '../../api.ts'
import { enterView } from '../../lib/view.ts'
import { traderName } from '../traders/trader-names.ts'
import { fetchTraders } from '../traders/traders.api.ts'

export type ViewRow = Row<'views.list'> & { traderName: string | null }
type Started = Answer<'views.start'>

const enter = (kind: 'trader' | 'user', name: string) => (started: Started) =>
  enterView({
    id: started.id,
    token: started.token,
    kind,
    name,
    expiresAt: started.expiresAt,
    back: location.pathname + location.search,
  })

/** Views as a client, in this tab. */
export const viewAsTrader = (traderId: string, name: string, reason: string) =>
  call('views.start', { body: { traderId, reason } }).then(enter('trader', name))
/** Views as a colleague, in this tab. */
export const viewAsUser = (id: string, name: string) =>
  call('views.startAsUser', { params: { id } }).then(enter('user', name))
export const endView = (id: string) => call('views.end', { params: { id } })

/** Views with the names of the clients whom they showed. */
export const fetchViews = async (query: QueryOf<'views.list'>) => {
  const page = await call('views.list', { query })
  const ids = page.data.flatMap(({ traderId }) => (traderId === null ? [] : [traderId]))
  const found = ids.length === 0 ? [] : (await fetchTraders({ ids: [...new Set(ids)].join(','), limit: 200 })).data
  const names = new Map(found.map((trader) => [trader.id, traderName(trader)]))
  return { ...page, data: page.data.map((row) => ({ ...row, traderName: names.get(row.traderId ?? '') ?? null })) }
}
