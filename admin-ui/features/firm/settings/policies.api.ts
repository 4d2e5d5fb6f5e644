import { type Answer, type Body, call, type QueryOf } from '../../../api.ts'

export type ApprovalPolicy = Answer<'approvalPolicies.get'>
export type SlaPolicies = Answer<'support.sla.get'>
export type Reasons = Answer<'kyc.rejectReasons.get'>
export type Reason = Reasons['reasons'][number]

export const fetchApprovalPolicy = (query: QueryOf<'approvalPolicies.get'> = {}) =>
  call('approvalPolicies.get', { query })
// Version 0 is the unsaved default. It is sent like any other: the server refuses it once a policy is saved.
export const setApprovalPolicy = (body: Body<'approvalPolicies.set'>, version: number) =>
  call('approvalPolicies.set', { body, ifMatch: version })

export const fetchSla = () => call('support.sla.get')
export const setSla = (body: Body<'support.sla.set'>, version: number) =>
  call('support.sla.set', { body, ifMatch: version })

export const fetchReasons = () => call('kyc.rejectReasons.get')
export const setReasons = (reasons: Reason[], version: number) =>
  call('kyc.rejectReasons.set', { body: { reasons }, ifMatch: version })
