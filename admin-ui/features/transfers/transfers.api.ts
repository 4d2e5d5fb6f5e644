import type { Static } from '@sinclair/typebox'
import type { AcknowledgeIn, TransferIn, TransferOut } from '../../../src/modules/transfers/transfers.model.ts'
import { get, type Page, post, type Query } from '../../api.ts'
import { type Named, withTraderNames } from '../traders/trader-names.ts'

export type Transfer = Static<typeof TransferOut>
export type NamedTransfer = Named<Transfer>

export const fetchTransfers = (query: Query): Promise<Page<Transfer>> => get('/v1/transfers', query)
export const fetchNamedTransfers = async (query: Query): Promise<Page<NamedTransfer>> =>
  withTraderNames(await fetchTransfers(query))
export const createTransfer = (body: Static<typeof TransferIn>): Promise<Transfer> => post('/v1/transfers', body)
/** Says for the platform that it booked or refused a transfer. */
export const acknowledgeTransfer = (id: string, body: Static<typeof AcknowledgeIn>): Promise<Transfer> =>
  post(`/v1/transfers/${id}/acknowledge`, body)
