import type { Deposit } from '../../../src/modules/deposits/deposits.model.ts'
import { get, type Page, type Query } from '../../api.ts'

export type { Deposit }

export const fetchDeposits = (query: Query): Promise<Page<Deposit>> => get('/v1/deposits', query)
