import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { requireSignedInWithin } from '../../../platform/access/fresh.ts'
import { refuseKeys } from '../../../platform/access/in-person.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { MINUTE, toIso } from '../../../platform/clock.ts'
import { defineErrors, invalid } from '../../../platform/problem.ts'
import type { KeyKept, RecoveryKey } from '../../../platform/recovery-key.ts'
import { say } from '../../../words/say.ts'
import { refuseGivenPassword, requireSettled } from '../../firm/independence/independence.service.ts'
import { mailOwners } from '../../firm/users/users.notices.ts'
import type { KeyKeptIn, RecoveryKeyOut, RecoveryWordsOut } from './system.model.ts'

const errors = defineErrors('system', () => ({
  wrong_words: [422, say('system.error.wrong_words'), say('system.todo.wrong_words')],
}))

/** The password must be given within this time, since the words open the data of every firm. */
const PROVEN_WITHIN = MINUTE

/** Answers whether the box's key was noted as kept in another place. */
export function readRecoveryKey(key: RecoveryKey): Static<typeof RecoveryKeyOut> {
  const kept = key.kept()
  return { kept: kept ? { at: toIso(kept.at), ...kept.value } : null }
}

/**
 * Answers the box's key as 24 words, to a session with password and code within the last minute (403
 * `reauthentication_required`). Audited, and mailed to the owners of the caller's firm. RULES “Recovery key”.
 */
export async function showRecoveryWords(ctx: Ctx, key: RecoveryKey): Promise<Static<typeof RecoveryWordsOut>> {
  refuseKeys(ctx)
  requireSignedInWithin(ctx, PROVEN_WITHIN)
  requireSettled(ctx)
  await recordShown(ctx)
  return { words: key.words() }
}

/** Notes who sees the words, and mails the owners of that person's firm. */
export async function recordShown(ctx: Ctx): Promise<void> {
  // no answer is stored for an Idempotency-Key, so that the words are stored nowhere
  await ctx.write(
    'recovery_key.show',
    (tx) => {
      refuseGivenPassword(tx, ctx)
      tx.audit({ entity: 'recovery_key' })
      mailOwners(tx, ctx, () => ({ subject: say('system.key.shown_subject'), text: say('system.key.shown_text') }))
    },
    { answer: false },
  )
}

/** Notes that the key is kept elsewhere: three of its words prove it, or a sentence declares where it is. */
export async function noteRecoveryKeyKept(
  ctx: Ctx,
  key: RecoveryKey,
  { words, elsewhere }: Static<typeof KeyKeptIn>,
): Promise<Static<typeof RecoveryKeyOut>> {
  refuseKeys(ctx)
  if ((words === undefined) === (elsewhere === undefined))
    throw invalid('words', 'one_of', say('system.key.words_or_sentence'))
  // the API refuses an empty sentence earlier, but the command does not
  if (elsewhere?.trim() === '') throw invalid('elsewhere', 'required', say('system.page.elsewhere_missing'))
  if (words !== undefined) {
    const places = words.map(({ place }) => place)
    const again = places.findIndex((place, index) => places.indexOf(place) !== index)
    if (again !== -1) throw invalid(`words.${again}.place`, 'repeated', say('system.key.place_twice'))
    if (!key.hasWords(words)) throw errors.wrong_words()
  }
  const by = findStaffId(ctx.principal)
  const kept: KeyKept =
    elsewhere === undefined ? { how: 'words', statement: null, by } : { how: 'elsewhere', statement: elsewhere, by }
  return ctx.write('recovery_key.kept', (tx) => {
    refuseGivenPassword(tx, ctx)
    key.noteKept(kept, tx.now)
    tx.audit({ entity: 'recovery_key', after: { how: kept.how, statement: kept.statement } })
    return { kept: { at: toIso(tx.now), ...kept } }
  })
}
