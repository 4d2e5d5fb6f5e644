import { type Static, Type } from '@sinclair/typebox'
import type { Reader } from '../../../platform/db/reader.ts'
import { invalid } from '../../../platform/problem.ts'
import { OneOf, Prose, Strict } from '../../../platform/wire/fields.ts'
import { named } from '../../../platform/wire/named.ts'
import { say } from '../../../words/say.ts'
import { defineSetting, readSetting } from '../../base/settings/settings.service.ts'
import { kycErrors } from './kyc.errors.ts'

const Reason = Strict({
  code: Type.String({ pattern: '^[a-z][a-z0-9_]{1,49}$' }),
  staffText: Prose(500),
  clientText: Prose(500),
  kind: OneOf(['retry', 'final']),
  revokes: Type.Optional(Type.Boolean({ description: 'a final rejection takes back what was approved before' })),
})
export const RejectReasons = named('KycRejectReasonsIn', Strict({ reasons: Type.Array(Reason, { maxItems: 100 }) }))

/**
 * The reason of the catalogue that a revoked approval gives, and what
 * its client is told where the firm's catalogue has no such reason.
 */
const REVOKED = 'revoked'
const NEUTRAL = say('kyc.reason.revoked.client')

/** What a firm starts with; staff words and client words differ, since a client must not learn how fraud is spotted. */
export const rejectReasons = defineSetting('kyc_reject_reasons', RejectReasons, {
  reasons: [
    {
      code: 'unreadable',
      staffText: say('kyc.reason.unreadable.staff'),
      clientText: say('kyc.reason.unreadable.client'),
      kind: 'retry',
    },
    {
      code: 'expired',
      staffText: say('kyc.reason.expired.staff'),
      clientText: say('kyc.reason.expired.client'),
      kind: 'retry',
    },
    {
      code: 'wrong_document',
      staffText: say('kyc.reason.wrong_document.staff'),
      clientText: say('kyc.reason.wrong_document.client'),
      kind: 'retry',
    },
    {
      code: 'address_old',
      staffText: say('kyc.reason.address_old.staff'),
      clientText: say('kyc.reason.address_old.client'),
      kind: 'retry',
    },
    {
      code: 'data_mismatch',
      staffText: say('kyc.reason.data_mismatch.staff'),
      clientText: say('kyc.reason.data_mismatch.client'),
      kind: 'retry',
    },
    {
      code: 'suspected_forgery',
      staffText: say('kyc.reason.suspected_forgery.staff'),
      clientText: say('kyc.reason.suspected_forgery.client'),
      kind: 'final',
      revokes: true,
    },
    {
      code: 'forged',
      staffText: say('kyc.reason.forged.staff'),
      clientText: say('kyc.reason.forged.client'),
      kind: 'final',
      revokes: true,
    },
    {
      code: REVOKED,
      staffText: say('kyc.reason.revoked.staff'),
      clientText: NEUTRAL,
      kind: 'retry',
    },
  ],
})

/** What a rejection says to staff and to the client, and whether it takes back what was approved before. */
export type Rejection = { code: string | null; kind: 'retry' | 'final'; detail: string; revokes: boolean }

/** What a rejection names of its reason. */
type Given = { code?: string; kind?: Rejection['kind']; detail?: string }

/** The reason a rejection gives: by code of the catalogue, or in own words. */
export function resolveReason(db: Reader, input: Given): Rejection {
  const { reasons } = readSetting(db, rejectReasons).value
  const known = input.code === undefined ? undefined : reasons.find(({ code }) => code === input.code)
  if (input.code !== undefined && !known) throw invalid('code', 'unknown', say('kyc.field.reason_unknown'))
  const detail = input.detail ?? known?.clientText
  const kind = input.kind ?? known?.kind
  if (detail === undefined || kind === undefined) {
    const path = detail === undefined ? 'detail' : 'kind'
    throw kycErrors.reason_needed({
      errors: [{ path, code: 'required', message: say('kyc.field.detail_required') }],
    })
  }
  return { code: known?.code ?? null, kind, detail, revokes: kind === 'final' && known?.revokes === true }
}

/**
 * What the client of a revoked approval is told: the given words, or the catalogue's neutral ones. They may try again.
 */
export function resolveRevocation(db: Reader, detail: string | undefined): Rejection {
  const { reasons } = readSetting(db, rejectReasons).value
  const neutral = reasons.find(({ code }) => code === REVOKED)?.clientText ?? NEUTRAL
  return { code: REVOKED, kind: 'retry', detail: detail ?? neutral, revokes: false }
}

/** Codes must differ. */
export function checkReasons({ reasons }: Static<typeof RejectReasons>): void {
  const seen = new Set<string>()
  reasons.forEach(({ code }, index) => {
    if (seen.has(code)) throw invalid(`reasons.${index}.code`, 'repeated', say('problems.field.repeated'))
    seen.add(code)
  })
}
