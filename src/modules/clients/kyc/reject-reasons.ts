import { type Static, Type } from '@sinclair/typebox'
import type { Reader } from '../../../platform/db/reader.ts'
import { invalid } from '../../../platform/problem.ts'
import { OneOf, Prose, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { isSentenceKey, type SentenceKey, say, sayForAll } from '../../../words/say.ts'
import { defineSetting, readSetting } from '../../base/settings/settings.service.ts'
import { kycErrors } from './kyc.errors.ts'

const Reason = Strict({
  code: Type.String({ pattern: '^[a-z][a-z0-9_]{1,49}$' }),
  staffText: Prose(500),
  clientText: Prose(500),
  kind: OneOf(['retry', 'final']),
  revokes: Type.Optional(Type.Boolean({ description: 'a final rejection takes back what was approved before' })),
})
export const RejectReasons = nameSchema(
  'KycRejectReasonsIn',
  Strict({ reasons: Type.Array(Reason, { maxItems: 100 }) }),
)

/** The code of the reason for a revoked approval, and the client's text if the firm's catalogue lacks this code. */
const REVOKED = 'revoked'
const NEUTRAL = say('kyc.reason.revoked.client')

/** The reasons that a firm starts with. Clients get other texts, since they must not learn how fraud is detected. */
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

type Reasons = Static<typeof RejectReasons>
type Words = (key: SentenceKey) => string

/** Returns the reasons with those texts for staff replaced that a firm starts with; its own stay. */
const reword = ({ reasons }: Reasons, before: Words, after: Words): Reasons => ({
  reasons: reasons.map((reason) => {
    const key = `kyc.reason.${reason.code}.staff`
    return isSentenceKey(key) && reason.staffText === before(key) ? { ...reason, staffText: after(key) } : reason
  }),
})

/** Returns the reasons in the language of the reader; clients' texts stay, since clients read them as they are. */
export const inReadersWords = (reasons: Reasons): Reasons => reword(reasons, sayForAll, (key) => say(key))

/** Returns the reasons as they are stored, which is the same whoever changed one of them. */
export const inStoredWords = (reasons: Reasons): Reasons => reword(reasons, (key) => say(key), sayForAll)

/** A rejection as stored, with the text for the client; `revokes` also revokes earlier approvals. */
export type Rejection = { code: string | null; kind: 'retry' | 'final'; detail: string; revokes: boolean }

/** The reason as the body of a rejection gives it. */
type Given = { code?: string; kind?: Rejection['kind']; detail?: string }

/** Returns a rejection by its code in the catalogue, or with the given text. */
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
 * Returns the rejection for a revoked approval, with the given text for the client or the catalogue's neutral one. The
 * client may try again.
 */
export function resolveRevocation(db: Reader, detail: string | undefined): Rejection {
  const { reasons } = readSetting(db, rejectReasons).value
  const neutral = reasons.find(({ code }) => code === REVOKED)?.clientText ?? NEUTRAL
  return { code: REVOKED, kind: 'retry', detail: detail ?? neutral, revokes: false }
}

/** Refuses two reasons with the same code. */
export function checkReasons({ reasons }: Reasons): void {
  const seen = new Set<string>()
  reasons.forEach(({ code }, index) => {
    if (seen.has(code)) throw invalid(`reasons.${index}.code`, 'repeated', say('problems.field.repeated'))
    seen.add(code)
  })
}
