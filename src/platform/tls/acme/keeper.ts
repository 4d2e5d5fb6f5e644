import { type Clock, DAY, HOUR, toIso } from '../../clock.ts'
import type { Log } from '../../log.ts'
import { type Certificate, covers } from '../certificate.ts'
import { type Authority, NamesRefused } from './authority.ts'
import { backOff, twoThirds } from './renewal.ts'
import type { AcmeStore, Memory } from './store.ts'
import { AcmeError } from './wire.ts'

/** How often the authority is asked when it wants a certificate renewed, unless it says how often. */
const ASK_EVERY = 6 * HOUR
/** Authorities put no more names than that into one certificate. */
const MOST_NAMES = 100
/** An authority refuses the sixth validation of a name that failed within an hour; one is left to the operator. */
const MOST_FAILURES_AN_HOUR = 4

/** Sees to it that there is a certificate for all names. */
export type Keeper = {
  /** One look at what is to be done; the new certificate, or null where there is none. Never throws. */
  look(): Promise<Certificate | null>
  /** Forgets that it wanted to wait; for an operator who has mended something. */
  hurry(): void
  lastError(): string | null
}

const tell = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Keeps one certificate for the public address and every firm's domain. `namesOf` answers the names that are wanted
 * now; a name that the authority refuses is left out and tried again later, so that it never keeps the others from
 * being served. Nothing is asked twice within an hour after a failure.
 */
export function createKeeper(options: {
  authority: () => Authority
  store: AcmeStore
  clock: Clock
  log: Log
  namesOf: () => readonly string[]
  current: () => Certificate | null
  random?: () => number
}): Keeper {
  const { store, clock, log, namesOf, current, random = Math.random } = options
  /** On a full disk the server goes on with what it has: its certificate is the last thing that it should lose. */
  const attempt = (write: () => void): void => {
    try {
      write()
    } catch (error) {
      log.error({ err: error }, 'what the certificate authority answered could not be kept')
    }
  }
  const change = (part: Partial<Memory>): void => attempt(() => store.remember({ ...store.memory(), ...part }))

  const failed = (error: unknown): void => {
    const now = clock.now()
    const { failures, failedAt } = store.memory()
    const wait = backOff(failures + 1, error instanceof AcmeError ? error.retryAfter : null)
    change({ failures: failures + 1, notBefore: now + wait, failedAt: [...failedAt, now], lastError: tell(error) })
    log.error({ err: error, nextTry: toIso(now + wait) }, 'no certificate could be got')
  }

  const setAside = (refused: ReadonlyMap<string, string>): void => {
    const now = clock.now()
    const { aside, failedAt } = store.memory()
    const entries = [...refused].map(([name, why]) => {
      const failures = (aside[name]?.failures ?? 0) + 1
      return [name, { failures, until: now + backOff(failures), why }] as const
    })
    change({
      aside: { ...aside, ...Object.fromEntries(entries) },
      failedAt: [...failedAt, now],
      lastError: tell(new NamesRefused(refused)),
    })
    for (const [name, { until, why }] of entries)
      log.warn({ name, why, nextTry: toIso(until) }, 'the certificate does without a name that was refused')
  }

  /** When to renew: at two thirds of its life, or in the authority's window, whichever comes first. */
  const renewAt = async (certificate: Certificate): Promise<number> => {
    const now = clock.now()
    const usual = twoThirds(certificate)
    let { window } = store.memory()
    if (window?.serial !== certificate.serial || window.askAt <= now) {
      const kept = window?.serial === certificate.serial ? window.renewAt : usual
      try {
        const asked = await options.authority().renewalWindow(certificate)
        // somewhere in the window, by chance: else everybody would come at its beginning; a moment that was drawn
        // within it stays, or each look would draw a later one
        const stays = asked !== null && kept >= asked.start && kept <= asked.end && window !== undefined
        const renewAt = asked === null || stays ? kept : asked.start + random() * (asked.end - asked.start)
        const again = Math.min(Math.max(asked?.askAgainIn ?? ASK_EVERY, HOUR), DAY)
        window = { serial: certificate.serial, renewAt, askAt: now + again }
      } catch (error) {
        log.warn({ err: error }, 'the certificate authority does not say when it wants the certificate renewed')
        window = { serial: certificate.serial, renewAt: kept, askAt: now + HOUR }
      }
      change({ window })
    }
    // at least a day for each: an authority whose windows are always over would otherwise get one every hour
    return Math.min(usual, Math.max(window.renewAt, certificate.notBefore + DAY))
  }

  /**
   * Whether to try again later rather than do without one of these names: the certificate that is there covers it and
   * is far from its end, and what keeps the authority from vouching for it now may be a passing trouble.
   */
  const mayWait = (certificate: Certificate | null, names: readonly string[]): boolean =>
    certificate !== null &&
    clock.now() < certificate.notBefore + ((certificate.notAfter - certificate.notBefore) * 5) / 6 &&
    names.some((name) => covers(certificate.names, name))

  const issue = async (wanted: readonly string[], certificate: Certificate | null, isDue: boolean) => {
    let names = wanted
    // each round leaves at least one name out
    while (names.length > 0) {
      try {
        const made = await options.authority().issue(names, certificate ?? undefined)
        attempt(() => store.keep(made))
        const { aside, lastError, ...rest } = store.memory()
        const all = new Set(namesOf())
        const kept = Object.entries(aside).filter(([name]) => all.has(name) && !made.names.includes(name))
        const memory = {
          ...rest,
          failures: 0,
          // at least an hour to the next one, whatever firms do with their domains
          notBefore: clock.now() + HOUR,
          aside: Object.fromEntries(kept),
          ...(kept.length > 0 && lastError !== undefined ? { lastError } : {}),
        }
        attempt(() => store.remember(memory))
        log.info({ names: made.names, notAfter: toIso(made.notAfter) }, 'a certificate was issued')
        return made
      } catch (error) {
        if (!(error instanceof NamesRefused)) throw error
        setAside(error.refused)
        names = names.filter((name) => !error.refused.has(name))
        // the one that is there does for the others: authorities count certificates of the very same names
        if (certificate && !isDue && names.every((name) => covers(certificate.names, name))) return null
        if (mayWait(certificate, [...error.refused.keys()])) return null
      }
    }
    throw new Error(`the certificate authority refused every name: ${store.memory().lastError}`)
  }

  const look = async (): Promise<Certificate | null> => {
    const now = clock.now()
    const certificate = current()
    const { aside, notBefore, failedAt } = store.memory()
    const waits = (name: string): boolean => (aside[name]?.until ?? 0) > now
    const all = namesOf()
    const names = all.filter((name) => !waits(name)).slice(0, MOST_NAMES)
    const isDue = certificate === null || (await renewAt(certificate)) <= now
    const isMissing = names.some((name) => certificate === null || !covers(certificate.names, name))
    if (names.length === 0 || !(isDue || isMissing) || now < notBefore) return null
    if (mayWait(certificate, all.filter(waits))) return null
    const recent = failedAt.filter((at) => at > now - HOUR)
    if (recent.length !== failedAt.length) change({ failedAt: recent })
    if (recent.length >= MOST_FAILURES_AN_HOUR) return null
    return issue(names, certificate, isDue)
  }

  return {
    look: async () => {
      try {
        return await look()
      } catch (error) {
        failed(error)
        return null
      }
    },
    hurry: () => {
      const { aside } = store.memory()
      const freed = Object.entries(aside).map(([name, entry]) => [name, { ...entry, until: 0 }] as const)
      change({ notBefore: 0, aside: Object.fromEntries(freed) })
    },
    lastError: () => store.memory().lastError ?? null,
  }
}
