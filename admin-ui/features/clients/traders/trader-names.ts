import type { Trader } from './traders.api.ts'
import { say } from './words.ts'

/** Adds the client's name to a row; it is null once the client's data has been erased. */
export type WithClientName<T> = T & { traderName: string | null }

/** Names a client in lists and titles. An erased client has neither name nor address, and is named by the id. */
export const traderName = ({
  firstName,
  lastName,
  email,
  id,
}: Pick<Trader, 'firstName' | 'lastName' | 'email' | 'id'>): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email || id

/** Returns the client's name in a row, or says that the client has been deleted. */
export const shownName = (name: string | null): string => name ?? say('lists.deleted_client')

/** Describes a chosen client as forms take it. */
export type Client = { id: string; name: string }
export const toClient = (trader: Trader): Client => ({ id: trader.id, name: traderName(trader) })
