import type { Config } from '../../config.ts'
import type { Migration } from '../../platform/db/migrations.ts'

/** One result of a check. `remedy` says what to do about it. */
export type Finding = {
  check: string
  state: 'ok' | 'warn' | 'fail'
  detail: string
  remedy: string | null
}

/** The input of checks: the settings in use, the time (milliseconds), and the migrations of this program. */
export type Patient = { config: Config; now: number; list: readonly Migration[] }

/** Checks one aspect of the installation without changing it; a thrown error becomes a finding. */
export type Check = { name: string; look(patient: Patient): Finding[] | Promise<Finding[]> }

export const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail, remedy: null })
export const warn = (check: string, detail: string, remedy: string): Finding => ({
  check,
  state: 'warn',
  detail,
  remedy,
})
export const fail = (check: string, detail: string, remedy: string): Finding => ({
  check,
  state: 'fail',
  detail,
  remedy,
})
