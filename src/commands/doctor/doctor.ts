import { type Config, ConfigError, loadConfig, settingsInUse } from '../../config.ts'
import { SECOND } from '../../platform/clock.ts'
import { type Migration, migrations } from '../../platform/db/migrations.ts'
import { build } from '../../platform/embedded.ts'
import { DATA } from './data.ts'
import { type Check, type Finding, fail, ok, type Patient } from './finding.ts'
import { MACHINE } from './machine.ts'
import { OUTSIDE } from './outside.ts'
import { standby } from './standby.ts'
import { terminals } from './terminals.ts'

/** A check that takes longer reports that something does not answer. */
const PATIENCE = 8 * SECOND

const CHECKS: readonly Check[] = [...MACHINE, ...DATA, standby, terminals, ...OUTSIDE]

/** The findings of all checks, and the settings without their secrets. */
type Report = {
  /** Whether no check failed; warnings do not count. */
  ok: boolean
  version: string
  lines: Finding[]
  config: Record<string, string>
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function look(check: Check, patient: Patient): Promise<Finding[]> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE / SECOND} s`)), PATIENCE)
  })
  try {
    return await Promise.race([(async () => check.look(patient))(), late])
  } catch (error) {
    return [fail(check.name, said(error), 'follow that sentence, and look again')]
  } finally {
    clearTimeout(timer)
  }
}

/** Checks everything that the installation needs, within a few seconds; it changes nothing. */
export async function examine(
  flags: Readonly<Record<string, string | undefined>>,
  // `list` is for tests: the migrations of another program than this one
  options: { env?: Readonly<Record<string, string | undefined>>; now?: number; list?: readonly Migration[] } = {},
): Promise<Report> {
  const { version, commit } = build()
  const found: Finding[] = [ok('program', `brokerbase ${version} (${commit}), Bun ${Bun.version}`)]
  const settings = settingsInUse(flags, options.env)
  let config: Config | undefined
  try {
    config = loadConfig(flags, options.env ? { env: options.env } : {})
    found.push(ok('settings', `${Object.keys(settings).length} set`))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    found.push(
      fail('settings', error.message, 'correct it: until then no server starts, and the other checks do not run'),
    )
  }
  if (config) {
    const patient = { config, now: options.now ?? Date.now(), list: options.list ?? migrations }
    found.push(...(await Promise.all(CHECKS.map((check) => look(check, patient)))).flat())
  }
  return { ok: found.every(({ state }) => state !== 'fail'), version, lines: found, config: settings }
}

/** Returns the report for people: a line for each finding with its remedy below, the settings at the end. */
export function formatReport({ ok: isWell, lines, config }: Report): string {
  const wide = Math.max(...lines.map(({ check }) => check.length))
  const body = lines.flatMap(({ check, state, detail, remedy }) => [
    `${state.padEnd(4)}  ${check.padEnd(wide)}  ${detail}`,
    ...(remedy === null ? [] : [`      ${' '.repeat(wide)}  → ${remedy}`]),
  ])
  const settings = Object.entries(config).map(([name, value]) => `      ${name}=${value}`)
  const warnings = lines.filter(({ state }) => state === 'warn').length
  const failures = lines.filter(({ state }) => state === 'fail').length
  const end = isWell
    ? `Nothing failed, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`
    : `${failures} failed, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`
  return [...body, ...(settings.length > 0 ? ['', 'Settings:', ...settings] : []), '', end, ''].join('\n')
}

/** Checks the installation and prints the findings as text or JSON; a failure sets the exit code. */
export async function doctor(
  flags: Readonly<Record<string, string | undefined>>,
  { json }: { json: boolean },
  print: (text: string) => void,
): Promise<void> {
  const report = await examine(flags)
  print(json ? `${JSON.stringify(report, null, 1)}\n` : formatReport(report))
  if (!report.ok) process.exitCode = 1
}
