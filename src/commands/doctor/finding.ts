import type { Config } from '../../config.ts'
import type { Migration } from '../../platform/db/migrations.ts'

/** One thing that was looked at. `remedy` says what to do where it is not well. */
export type Finding = {
  check: string
  state: 'ok' | 'warn' | 'fail'
  detail: string
  remedy: string | null
}

/** What checks look at: the settings in use, the time (milliseconds), and the migrations of this program. */
export type Patient = { config: Config; now: number; list: readonly Migration[] }

/** Looks at one side of the installation; what it throws becomes a finding. It changes nothing anywhere. */
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
