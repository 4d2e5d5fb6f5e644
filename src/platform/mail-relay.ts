import type { Config } from '../config.ts'
import { MINUTE, SECOND } from './clock.ts'
import type { Log } from './log.ts'
import { createMailTransport, type MailTransport } from './mail.ts'

/** The waits after the first, second … failed attempt in a row; the last one is repeated. */
const WAITS = [20 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE] as const

/** Since when the relay takes no mail, its last error, and when it is tried again. */
export type RelayFault = { since: number; error: string; tries: number; nextTryAt: number }

/**
 * The mail relay of this server, and whether it works. While it does not, one mail at a time tries it again, so that a
 * wrong password is not tried once for each of a thousand mails.
 */
export type MailRelay = {
  /** Null if no relay is configured. */
  transport: MailTransport | null
  fault(): RelayFault | null
  /** Notes an attempt that failed because of the relay; returns when it is tried again. */
  noteFault(error: string, now: number): number
  /** Notes that the relay took a mail, or refused one because of its recipient. */
  noteAnswer(now: number): void
  /** How often the relay answered a mail, and how often it failed. */
  counts: { answers: () => number; faults: () => number }
  /** Lets the next attempt be made at once, because a person wants it. */
  tryNow(now: number): void
}

export function createMailRelay(smtp: Config['smtp'], log: Log): MailRelay {
  let fault: RelayFault | null = null
  let answers = 0
  let faults = 0
  return {
    transport: smtp && createMailTransport(smtp),
    fault: () => fault,
    noteFault: (error, now) => {
      faults += 1
      // mails that were on their way at the same time count as one attempt
      if (fault !== null && now < fault.nextTryAt) return fault.nextTryAt
      const tries = (fault?.tries ?? 0) + 1
      const nextTryAt = now + (WAITS[tries - 1] ?? WAITS[WAITS.length - 1] ?? MINUTE)
      if (fault === null) log.error({ error }, 'the mail relay takes no mail; every mail is kept and sent again')
      fault = { since: fault?.since ?? now, error, tries, nextTryAt }
      return nextTryAt
    },
    noteAnswer: (now) => {
      answers += 1
      if (fault !== null) log.info({ minutes: Math.round((now - fault.since) / MINUTE) }, 'the mail relay works again')
      fault = null
    },
    counts: { answers: () => answers, faults: () => faults },
    tryNow: (now) => {
      if (fault !== null) fault = { ...fault, nextTryAt: Math.min(fault.nextTryAt, now) }
    },
  }
}
