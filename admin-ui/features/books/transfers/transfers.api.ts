import { type Body, call, type QueryOf, type Row } from '../../../api.ts'
import type { WithClientName } from '../../clients/traders/trader-names.ts'

export type Transfer = Omit<Row<'transfers.list'>, 'traderName'>
export type NamedTransfer = WithClientName<Transfer>

type Asked = QueryOf<'transfers.list'>

export const fetchTransfers = (query: Asked) => call('transfers.list', { query })
export const createTransfer = (body: Body<'transfers.create'>) => call('transfers.create', { body })
/** Records for the platform that it booked or refused a transfer. */
export const acknowledgeTransfer = (id: string, body: Body<'transfers.acknowledge'>) =>
  call('transfers.acknowledge', { params: { id }, body })
