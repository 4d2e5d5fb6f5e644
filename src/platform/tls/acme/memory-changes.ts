import { HOUR } from '../../clock.ts'
import type { Certificate } from '../certificate.ts'
import { backOff } from './renewal.ts'
import type { Memory } from './store.ts'

type Aside = Memory['aside']

/** Returns the changes of memory after an attempt failed as a whole; `retryAfter` (ms) is from the authority. */
export function afterFailure(
  { failures, failedAt }: Memory,
  lastError: string,
  retryAfter: number | null,
  now: number,
): { failures: number; notBefore: number; failedAt: number[]; lastError: string } {
  const wait = backOff(failures + 1, retryAfter)
  return { failures: failures + 1, notBefore: now + wait, failedAt: [...failedAt, now], lastError }
}

/** Returns the entries of names that the authority refused, each with its reason and until when it is left out. */
export function setAside(aside: Aside, refused: ReadonlyMap<string, string>, now: number): Aside {
  const entries = [...refused].map(([name, why]) => {
    const failures = (aside[name]?.failures ?? 0) + 1
    return [name, { failures, until: now + backOff(failures), why }] as const
  })
  return Object.fromEntries(entries)
}

/** Returns the memory after a certificate was issued; `wanted` are the names that are served now. */
export function afterIssue(
  { aside, lastError, ...rest }: Memory,
  { names }: Pick<Certificate, 'names'>,
  wanted: readonly string[],
  now: number,
): Memory {
  const all = new Set(wanted)
  const kept = Object.entries(aside).filter(([name]) => all.has(name) && !names.includes(name))
  return {
    ...rest,
    failures: 0,
    // the next certificate comes after an hour at the earliest, however often firms change their domains
    notBefore: now + HOUR,
    aside: Object.fromEntries(kept),
    ...(kept.length > 0 && lastError !== undefined ? { lastError } : {}),
  }
}

/** Returns the changes of memory that end all waiting; the numbers of failures stay. */
export function withoutWaiting({ aside }: Memory): { notBefore: number; aside: Aside } {
  const freed = Object.entries(aside).map(([name, entry]) => [name, { ...entry, until: 0 }] as const)
  return { notBefore: 0, aside: Object.fromEntries(freed) }
}
