import type { Page, Query } from '../../api.ts'
import { fetchTraders, type Trader } from './traders.api.ts'

/** A row with its trader's name; null when that trader has been deleted. */
export type Named<T> = T & { traderName: string | null }

/** How a person is called in lists and titles. An erased trader has neither name nor address. */
export const traderName = ({
  firstName,
  lastName,
  email,
  id,
}: Pick<Trader, 'firstName' | 'lastName' | 'email' | 'id'>): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email || id

/** Adds the traders' names to a page of rows, with one call for the whole page. */
export const withTraderNames = async <T extends { traderId: string }>(page: Page<T>): Promise<Page<Named<T>>> => {
  const ids = [...new Set(page.data.map(({ traderId }) => traderId))]
  if (ids.length === 0) return { ...page, data: [] }
  const { data } = await fetchTraders({ ids: ids.join(','), limit: 200 })
  const names = new Map(data.map((trader) => [trader.id, traderName(trader)]))
  return { ...page, data: page.data.map((row) => ({ ...row, traderName: names.get(row.traderId) ?? null })) }
}

/** A client as the forms take one that is already chosen. */
export type Client = { id: string; name: string }
export const clientOf = (trader: Trader): Client => ({ id: trader.id, name: traderName(trader) })

/** As a list's fetch, where all rows are of one client: nobody need be asked for the name. */
export const namedAs =
  <T>(trader: Trader, fetch: (query: Query) => Promise<Page<T>>) =>
  async (query: Query): Promise<Page<Named<T>>> => {
    const page = await fetch(query)
    const name = traderName(trader)
    return { ...page, data: page.data.map((row) => ({ ...row, traderName: name })) }
  }
