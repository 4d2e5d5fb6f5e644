import { type Clock, HOUR, toIso } from '../../clock.ts'
import type { Log } from '../../log.ts'
import { type Certificate, covers } from '../certificate.ts'
import { type Authority, NamesRefused } from './authority.ts'
import { afterFailure, afterIssue, setAside, withoutWaiting } from './memory-changes.ts'
import { shouldWaitForNames } from './renewal.ts'
import { openRenewals, type Renewals } from './renewal-times.ts'
import type { AcmeStore, Memory } from './store.ts'
import { AcmeError } from './wire.ts'

/** Authorities put at most this many names into one certificate. */
const MOST_NAMES = 100
/** Authorities allow five failed validations of a name in an hour: four are used, and one is left to the operator. */
const MOST_FAILURES_AN_HOUR = 4

/** Keeps a certificate for all names. */
export type Keeper = {
  /** Gets a certificate if one is due or a name is missing; null if no new one was issued. Never throws. */
  look(): Promise<Certificate | null>
  /** Ends all waiting after failures, for an operator who has fixed their cause. */
  hurry(): void
  lastError(): string | null
}

type Keeping = {
  authority: () => Authority
  store: AcmeStore
  clock: Clock
  log: Log
  listNames: () => readonly string[]
  current: () => Certificate | null
}

const tell = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Writes; a failure such as a full disk is only logged, so that the server still uses the certificate. */
function attempt({ log }: Pick<Keeping, 'log'>, write: () => void): void {
  try {
    write()
  } catch (error) {
    log.error({ err: error }, 'what the certificate authority answered could not be kept')
  }
}

function change(keeping: Pick<Keeping, 'store' | 'log'>, part: Partial<Memory>): void {
  const { store } = keeping
  attempt(keeping, () => store.remember({ ...store.memory(), ...part }))
}

function noteFailure(keeping: Keeping, error: unknown): void {
  const { store, clock, log } = keeping
  const retryAfter = error instanceof AcmeError ? error.retryAfter : null
  const after = afterFailure(store.memory(), tell(error), retryAfter, clock.now())
  change(keeping, after)
  log.error({ err: error, nextTry: toIso(after.notBefore) }, 'no certificate could be got')
}

function noteRefusal(keeping: Keeping, error: NamesRefused): void {
  const { store, clock, log } = keeping
  const now = clock.now()
  const { aside, failedAt } = store.memory()
  const refused = setAside(aside, error.refused, now)
  change(keeping, { aside: { ...aside, ...refused }, failedAt: [...failedAt, now], lastError: tell(error) })
  for (const [name, { until, why }] of Object.entries(refused))
    log.warn({ name, why, nextTry: toIso(until) }, 'the certificate does without a name that was refused')
}

function keep(keeping: Keeping, made: Certificate): Certificate {
  const { store, clock, log, listNames } = keeping
  attempt(keeping, () => store.keep(made))
  const memory = afterIssue(store.memory(), made, listNames(), clock.now())
  attempt(keeping, () => store.remember(memory))
  log.info({ names: made.names, notAfter: toIso(made.notAfter) }, 'a certificate was issued')
  return made
}

async function issue(
  keeping: Keeping,
  wanted: readonly string[],
  certificate: Certificate | null,
  isDue: boolean,
): Promise<Certificate | null> {
  let names = wanted
  // each attempt leaves out at least one more name
  while (names.length > 0) {
    try {
      return keep(keeping, await keeping.authority().issue(names, certificate ?? undefined))
    } catch (error) {
      if (!(error instanceof NamesRefused)) throw error
      noteRefusal(keeping, error)
      names = names.filter((name) => !error.refused.has(name))
      // the certificate covers the remaining names, and another one of the same names would count for the limit
      if (certificate && !isDue && names.every((name) => covers(certificate.names, name))) return null
      if (shouldWaitForNames(certificate, [...error.refused.keys()], keeping.clock.now())) return null
    }
  }
  throw new Error(`the certificate authority refused every name: ${keeping.store.memory().lastError}`)
}

/** Gets a certificate if one is due or a name is missing, and no failure has to be waited out. */
async function look(keeping: Keeping, renewals: Renewals): Promise<Certificate | null> {
  const { store, clock } = keeping
  const now = clock.now()
  const certificate = keeping.current()
  const { aside, notBefore, failedAt } = store.memory()
  const waits = (name: string): boolean => (aside[name]?.until ?? 0) > now
  const all = keeping.listNames()
  const names = all.filter((name) => !waits(name)).slice(0, MOST_NAMES)
  const isDue = certificate === null || (await renewals.renewAt(certificate)) <= now
  const isMissing = names.some((name) => certificate === null || !covers(certificate.names, name))
  if (names.length === 0 || !(isDue || isMissing) || now < notBefore) return null
  if (shouldWaitForNames(certificate, all.filter(waits), clock.now())) return null
  const recent = failedAt.filter((at) => at > now - HOUR)
  if (recent.length !== failedAt.length) change(keeping, { failedAt: recent })
  if (recent.length >= MOST_FAILURES_AN_HOUR) return null
  return issue(keeping, names, certificate, isDue)
}

/**
 * Makes the keeper of one certificate for the public address and every firm's domain. `listNames` returns the names
 * that are wanted now; a name that the authority refuses is left out and tried again later, so that the others are
 * served. After a failure the authority is not asked again within an hour.
 */
export function createKeeper({ random = Math.random, ...keeping }: Keeping & { random?: () => number }): Keeper {
  const { authority, store, clock, log } = keeping
  const renewals = openRenewals({
    authority,
    clock,
    log,
    random,
    known: () => store.memory().window,
    remember: (window) => change(keeping, { window }),
  })
  return {
    look: async () => {
      try {
        return await look(keeping, renewals)
      } catch (error) {
        noteFailure(keeping, error)
        return null
      }
    },
    hurry: () => change(keeping, withoutWaiting(store.memory())),
    lastError: () => store.memory().lastError ?? null,
  }
}
