import { type Answer, type Body, call, type QueryOf, type Row } from '../../../api.ts'

export type Affiliate = Row<'affiliates.list'>
export type AffiliateDetail = Answer<'affiliates.get'>
export type TreeNode = Answer<'affiliates.tree'>['data'][number]
export type BroughtClient = Row<'affiliates.clients'>
export type Line = Row<'commissions.list'>
export type Explained = Answer<'commissions.explain'>
export type Plan = Row<'commissionPlans.list'>
export type PlanVersion = Plan['versions'][number]
export type Rule = PlanVersion['rules'][number]
export type Run = Row<'commissions.runs.list'>
export type Payout = Row<'payouts.list'>

export const fetchAffiliates = (query: QueryOf<'affiliates.list'>) => call('affiliates.list', { query })
export const fetchAffiliate = (id: string) => call('affiliates.get', { params: { id } })
export const fetchTree = (id: string) => call('affiliates.tree', { params: { id } })
export const fetchClients = (id: string, query: QueryOf<'affiliates.clients'>) =>
  call('affiliates.clients', { params: { id }, query })
export const createAffiliate = (body: Body<'affiliates.create'>) => call('affiliates.create', { body })
export const updateAffiliate = ({ id, version }: Pick<Affiliate, 'id' | 'version'>, body: Body<'affiliates.update'>) =>
  call('affiliates.update', { params: { id }, body, ifMatch: version })
export const fetchFunnel = () => call('affiliates.funnel')

export const fetchLines = (query: QueryOf<'commissions.list'>) => call('commissions.list', { query })
export const explainLine = (id: string) => call('commissions.explain', { params: { id } })

export const fetchPlans = (query: QueryOf<'commissionPlans.list'>) => call('commissionPlans.list', { query })
export const createPlan = (body: Body<'commissionPlans.create'>) => call('commissionPlans.create', { body })
export const updatePlan = ({ id, version }: Plan, body: Body<'commissionPlans.update'>) =>
  call('commissionPlans.update', { params: { id }, body, ifMatch: version })

export const fetchRuns = (query: QueryOf<'commissions.runs.list'>) => call('commissions.runs.list', { query })
export const startRun = (body: Body<'commissions.runs.create'>) => call('commissions.runs.create', { body })

export const fetchPayouts = (query: QueryOf<'payouts.list'>) => call('payouts.list', { query })
export const askPayout = (body: Body<'payouts.create'>) => call('payouts.create', { body })
export const approvePayout = ({ id, version }: Payout, note: string) =>
  call('payouts.approve', { params: { id }, body: note === '' ? {} : { note }, ifMatch: version })
export const rejectPayout = ({ id, version }: Payout, reason: string) =>
  call('payouts.reject', { params: { id }, body: { reason }, ifMatch: version })
