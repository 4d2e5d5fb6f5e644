import { sql } from 'drizzle-orm'
import { type Clock, MINUTE, SECOND, toIso } from '../../../platform/clock.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Log } from '../../../platform/log.ts'
import type { MailRelay } from '../../../platform/mail-relay.ts'
import { sleepUntil } from '../../../platform/replication/sleep-until.ts'
import type { Connection } from '../../../platform/sqlite.ts'
import type { Standby, StandbySeen } from '../../../platform/standby/standby.ts'
import { pickLanguage } from '../../../words/language.ts'
import { inLanguage, say } from '../../../words/say.ts'
import { users } from '../../firm/users/users.table.ts'
import { isDueAt } from '../backups/backups.due.ts'

/** The primary is silent if there was no sign of it for this long. */
export const SILENT_AFTER = MINUTE
/** Clocks that are further apart than this (ms) are told; they can be compared to a second. */
export const CLOCKS_APART = 2 * SECOND
const LOOKS_EVERY = 5 * SECOND

const ADMINISTRATORS = statement(sql`SELECT DISTINCT ${users.email} AS email, ${users.displayName} AS displayName,
    ${users.locale} AS locale FROM ${users}
  WHERE ${users.deletedAt} IS NULL AND ${users.status} = 'active' AND ${users.roles} LIKE '%"platform_admin"%'`)
type Administrator = { email: string; displayName: string; locale: string | null }

type WatchParts = {
  standby: Pick<Standby, 'seen' | 'proveAgain'>
  /** Reads the newest copy. */
  reader: Pick<Connection, 'all'>
  relay: Pick<MailRelay, 'transport'>
  clock: Clock
  log: Log
}

/** Watches the primary of a standby, and the copy. */
export type PrimaryWatch = {
  /** Looks once: mails the administrators of the copy if the primary fell silent or came back, and proves the copy. */
  look(): Promise<void>
}

/** Returns a time for people, to the second and in UTC. */
const inUtc = (ms: number): string => toIso(ms).slice(0, 19).replace('T', ' ')

/** Mails each administrator in their language. Rejects if no mail was taken; resolves if no relay is configured. */
async function mailAll({ reader, relay, log }: WatchParts, letter: () => { subject: string; text: string }) {
  const { transport } = relay
  if (!transport) return
  const sent = await Promise.allSettled(
    reader.all<Administrator>(ADMINISTRATORS).map(({ email, displayName, locale }) =>
      inLanguage(pickLanguage(locale), async () => {
        const { subject, text } = letter()
        await transport.send({ to: email, subject, text: say('mail.mail.hello', { displayName, text }) })
      }),
    ),
  )
  const failed = sent.find(({ status }) => status === 'rejected')
  if (failed) log.error({ err: failed }, 'an administrator could not be mailed')
  if (failed && sent.every(({ status }) => status === 'rejected')) throw new Error('no administrator could be mailed')
}

/** Makes the watch over the primary of a standby. A mail that no relay took is sent again at the next look. */
export function createPrimaryWatch(parts: WatchParts): PrimaryWatch {
  const { standby, clock, log } = parts
  let isSilent = false
  let provenAt: number | null = null
  const url = ({ heartbeat }: StandbySeen): string => heartbeat?.url ?? ''

  async function lookAtPrimary(): Promise<void> {
    const seen = standby.seen()
    const { silentMs, heartbeat } = seen
    const is = silentMs >= SILENT_AFTER
    if (is === isSilent || (is && !heartbeat)) return
    if (is) {
      const facts = { url: url(seen), since: inUtc(clock.now() - silentMs), until: inUtc(heartbeat?.at ?? 0) }
      log.error(facts, 'there is no sign of the primary')
      await mailAll(parts, () => ({
        subject: say('standby.mail.silent'),
        text: say('standby.mail.silent_text', { url: facts.url, since: facts.since, until: facts.until }),
      }))
    } else {
      log.info({ url: url(seen) }, 'the primary is seen again')
      const text = () => say('standby.mail.over_text', { url: url(seen) })
      await mailAll(parts, () => ({ subject: say('standby.mail.over'), text: text() }))
    }
    isSilent = is
  }

  async function lookAtCopy(): Promise<void> {
    const now = clock.now()
    // the first proof was made before the copy was served
    provenAt ??= now
    if (!isDueAt('drill', now, provenAt)) return
    const found = await standby.proveAgain()
    if (found === undefined) return
    provenAt = now
    if (found === null) return log.info('the copy is proven')
    log.error({ doubt: found }, 'the copy is not good')
    const facts = { url: url(standby.seen()), doubt: found }
    const text = () => say('standby.mail.proof_text', { url: facts.url, doubt: facts.doubt })
    await mailAll(parts, () => ({ subject: say('standby.mail.proof'), text: text() }))
  }

  return {
    look: async () => {
      await lookAtPrimary()
      await lookAtCopy()
    },
  }
}

/** Looks every few seconds until the signal aborts. */
export async function keepLooking(watch: PrimaryWatch, log: Log, signal: AbortSignal): Promise<void> {
  for (; !signal.aborted; await sleepUntil(LOOKS_EVERY, signal))
    await watch.look().catch((error: unknown) => log.debug({ err: error }, 'the watch is tried again'))
}
