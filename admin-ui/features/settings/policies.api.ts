import type { Static } from '@sinclair/typebox'
import type { ReasonsOut } from '../../../src/modules/kyc/kyc.model.ts'
import type { PoliciesOut } from '../../../src/modules/support/support.model.ts'
import type { PolicyOut } from '../../../src/modules/withdrawals/withdrawals.model.ts'
import { get, put, type Query } from '../../api.ts'

export type ApprovalPolicy = Static<typeof PolicyOut>
export type SlaPolicies = Static<typeof PoliciesOut>
export type Reasons = Static<typeof ReasonsOut>
export type Reason = Reasons['reasons'][number]

export const fetchApprovalPolicy = (query: Query = {}): Promise<ApprovalPolicy> => get('/v1/approval-policies', query)
// Version 0 is the default that nobody has set; sent like any
// other, it says when a colleague set the first one meanwhile.
export const setApprovalPolicy = (
  body: Pick<ApprovalPolicy, 'currency' | 'threshold' | 'minKycLevel'>,
  version: number,
): Promise<ApprovalPolicy> => put('/v1/approval-policies', body, version)

export const fetchSla = (): Promise<SlaPolicies> => get('/v1/support/sla-policies')
export const setSla = (body: Omit<SlaPolicies, 'version'>, version: number): Promise<SlaPolicies> =>
  put('/v1/support/sla-policies', body, version)

export const fetchReasons = (): Promise<Reasons> => get('/v1/kyc/reject-reasons')
export const setReasons = (reasons: Reason[], version: number): Promise<Reasons> =>
  put('/v1/kyc/reject-reasons', { reasons }, version)
