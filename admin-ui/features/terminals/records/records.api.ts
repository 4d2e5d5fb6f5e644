import { call, type QueryOf, type Row } from '../../../api.ts'

export type Login = Row<'platforms.logins.list'>
export type Deal = Row<'platforms.deals.list'>
export type Day = Row<'platforms.days.list'>
export type Finding = Row<'platforms.findings.list'>

export const fetchLogins = (query: QueryOf<'platforms.logins.list'>) => call('platforms.logins.list', { query })
export const fetchDeals = (query: QueryOf<'platforms.deals.list'>) => call('platforms.deals.list', { query })
export const fetchDays = (query: QueryOf<'platforms.days.list'>) => call('platforms.days.list', { query })
export const fetchFindings = (query: QueryOf<'platforms.findings.list'>) => call('platforms.findings.list', { query })
export const closeFindings = (ids: string[], reason: string) =>
  call('platforms.findings.close', { body: { ids, reason } })
