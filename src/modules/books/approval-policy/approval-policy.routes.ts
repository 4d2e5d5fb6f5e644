import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { ApprovalPolicy, PolicyOut, PolicyQuery } from './approval-policy.model.ts'
import { setPolicy, showPolicy } from './approval-policy.service.ts'

/** The firm's policy of approvals. RULES “Approvals”. */
export const approvalPolicyRoutes = declareRoutes('Withdrawals')
  .get('/v1/approval-policies', ({ ctx, query }) => showPolicy(ctx, query), {
    access: { scope: 'withdrawals:read', role: 'manager' },
    query: PolicyQuery,
    ...op('approvalPolicies.get', 'Who must approve what; simulate with amount and currency', {
      200: PolicyOut,
    }),
  })
  .put('/v1/approval-policies', ({ ctx, body, expect }) => setPolicy(ctx, body, expect), {
    access: { scope: 'tenants:write', role: 'owner', fresh: true },
    body: ApprovalPolicy,
    ...op('approvalPolicies.set', 'Set the approval policy', { 200: PolicyOut }, [412]),
  })
