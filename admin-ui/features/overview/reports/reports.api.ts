import { type Answer, buildUrl, call } from '../../../api.ts'
import { pickPageSize } from '../../../lib/api/page-size.ts'

export type Overview = Answer<'reporting.dashboard'>
export type Cohorts = Answer<'reporting.cohorts'>
export type Revenue = Answer<'reporting.revenue'>
export type Activity = Answer<'reporting.activity'>
export type TaxPage = Answer<'reporting.tax'>
export type TaxRow = TaxPage['data'][number]

/** The parameters of a report; the server chooses those that are left out. */
export type Asked = { from?: string; to?: string; currency?: string }

export const fetchOverview = (query: Asked) => call('reporting.dashboard', { query })
export const fetchCohorts = ({ from, to }: Asked) => call('reporting.cohorts', { query: { from, to } })
export const fetchRevenue = (query: Asked) => call('reporting.revenue', { query })
export const fetchActivity = () => call('reporting.activity')
export const fetchTax = (query: Asked & { cursor?: string }) =>
  call('reporting.tax', {
    query: { ...query, ...(!query.cursor && { count: true }), limit: pickPageSize(50) },
  })

export const overviewCsv = (query: Asked): string =>
  buildUrl('reporting.dashboard', { query: { ...query, format: 'csv' } })
export const cohortsCsv = ({ from, to }: Asked): string =>
  buildUrl('reporting.cohorts', { query: { from, to, format: 'csv' } })
export const revenueCsv = (query: Asked): string =>
  buildUrl('reporting.revenue', { query: { ...query, format: 'csv' } })
export const activityCsv = (): string => buildUrl('reporting.activity', { query: { format: 'csv' } })
export const taxCsv = (query: Asked): string => buildUrl('reporting.tax', { query: { ...query, format: 'csv' } })
