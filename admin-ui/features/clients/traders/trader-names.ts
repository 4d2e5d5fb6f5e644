import type { Trader } from './traders.api.ts'
import { say } from './words.ts'

/** A row with its client's name; null once the client's data has been erased. */
export type WithClientName<T> = T & { traderName: string | null }

/** How a person is called in lists and titles. An erased trader has neither name nor address. */
export const traderName = ({
  firstName,
  lastName,
  email,
  id,
}: Pick<Trader, 'firstName' | 'lastName' | 'email' | 'id'>): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email || id

/** The client's name of a row, or that there is none any more. */
export const shownName = (name: string | null): string => name ?? say('lists.deleted_client')

/** A client as the forms take one that is already chosen. */
export type Client = { id: string; name: string }
export const toClient = (trader: Trader): Client => ({ id: trader.id, name: traderName(trader) })
