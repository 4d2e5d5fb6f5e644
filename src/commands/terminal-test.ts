import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { accounts } from '../modules/books/accounts/accounts.table.ts'
import { getDesk, type RemoteTerminal } from '../modules/terminals/child/desk.ts'
import { type ConnectionRow, terminalConnections } from '../modules/terminals/connections/connections.table.ts'
import { explainFault } from '../modules/terminals/connections/fault-words.ts'
import { buildAddress } from '../modules/terminals/connections/terminal-address.ts'
import { examineTerminal } from '../modules/terminals/connections/test.service.ts'
import { TerminalFault } from '../modules/terminals/contract/fault.ts'
import type { TerminalAddress } from '../modules/terminals/contract/terminal.ts'
import { type Clock, systemClock, toIso } from '../platform/clock.ts'
import { createDirectory } from '../platform/db/directory.ts'
import { findLacking, isUpgrade } from '../platform/db/migrate.ts'
import { migrations } from '../platform/db/migrations.ts'
import { createReader } from '../platform/db/reader.ts'
import { loadOrCreateKey } from '../platform/key-file.ts'
import { createSecretBox } from '../platform/secrets.ts'
import { askDatabase } from './doctor/ask.ts'
import type { Dialogue } from './recovery-key.ts'
import { type Moved, moveInAndOut } from './terminal-move.ts'

/** The flags of `terminal test`, as typed. */
export type TerminalTestFlags = { firm: string; login?: string; move?: true; fixtures?: string }

/** What the books say of a connection, read at one moment; its address has the password. */
type Known = { row: ConnectionRow; address: TerminalAddress; live: ReadonlySet<string> }

/** Reads a connection of a firm by its id or name. Nothing is written, since a server may write meanwhile. */
function readConnection({ dataDir, secretKey, allowedNetworks }: Config, slug: string, name: string): Known {
  const path = join(dataDir, 'brokerbase.db')
  if (!existsSync(path))
    throw new Error(`There is no data in ${dataDir}. --data-dir or BROKERBASE_DATA_DIR names its directory.`)
  const key = loadOrCreateKey(join(dataDir, 'secret.key'), { configuredBase64: secretKey, sealed: [path] })
  return askDatabase(path, (connection) => {
    if (isUpgrade(findLacking(connection, migrations)))
      throw new Error(`${dataDir} must be upgraded first: brokerbase migrate`)
    const tenantId = createDirectory(connection).idOfSlug(slug)
    if (tenantId === undefined) throw new Error(`--firm: there is no firm “${slug}” in ${dataDir}.`)
    const db = createReader(connection, { tenantId, traderId: null })
    const all = db.list(terminalConnections, {})
    const found = all.filter((one) => one.id === name || one.name === name)
    const [row] = found
    if (row === undefined) {
      const names = all.map((one) => `“${one.name}” (${one.id})`).join(', ')
      throw new Error(
        `There is no connection “${name}”. ${names === '' ? 'The firm has none.' : `There are ${names}.`}`,
      )
    }
    if (found.length > 1) throw new Error(`There are several connections “${name}”: name one by its id.`)
    const secrets = createSecretBox(key).forFirm(tenantId)
    const address = buildAddress({ db, secrets, tenantId, config: { allowedNetworks } }, row)
    const linked = db
      .list(accounts, { platform: row.platform, isDemo: false })
      .filter(({ server }) => server === '' || server === row.server)
    return { row, address, live: new Set(linked.flatMap(({ accountNumber }) => accountNumber ?? [])) }
  })
}

/** Writes what was seen into a new file that others cannot read; throws a sentence if there is one already. */
function writeFixtures(path: string, seen: object): void {
  try {
    writeFileSync(path, `${JSON.stringify(seen, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new Error(`--fixtures: ${path} is there already.`, { cause: error })
    throw error
  }
}

/** Refuses flags that do not belong together, before anything is asked. */
function checkFlags({ login, move, fixtures }: TerminalTestFlags): void {
  if (move && !/^[1-9][0-9]{0,19}$/.test(login ?? ''))
    throw new Error('--move needs --login, the number of a demo login.')
  if (login !== undefined && !move) throw new Error('--login is the login that --move is about: give both.')
  if (fixtures !== undefined && existsSync(fixtures)) throw new Error(`--fixtures: ${fixtures} is there already.`)
}

const MARKS = { fine: 'ok  ', look_closer: 'warn', fails: 'FAIL' } as const

type Parts = { dialogue: () => Dialogue; print: (text: string) => void; clock?: Pick<Clock, 'now'> }

/** Tests one terminal and prints each check; with a login, also moves money there. Returns whether all went well. */
async function testTerminal(
  terminal: RemoteTerminal,
  { row, live }: Known,
  { login, fixtures }: TerminalTestFlags,
  { dialogue, print, clock = systemClock }: Parts,
): Promise<boolean> {
  const { result, hello } = await examineTerminal(terminal, row, clock.now())
  for (const { name, state, text } of result.checks) print(`${MARKS[state]}  ${name.padEnd(11)}  ${text}\n`)
  if (result.certificate) print(`      fingerprint ${result.certificate.fingerprint}\n`)
  const isFine = result.checks.every(({ state }) => state !== 'fails')
  let moved: Moved | null = null
  if (login !== undefined && hello !== null)
    moved = await moveInAndOut(terminal, { row, live, login, groups: hello.groups }, { dialogue, print, clock })
  if (fixtures !== undefined) {
    writeFixtures(fixtures, { at: toIso(clock.now()), driver: row.driver, hello, checks: result.checks, moved })
    print(`Written to ${fixtures}, without passwords, names and comments of others.\n`)
  }
  return isFine && (login === undefined || moved?.isDone === true)
}

/**
 * Tests a connection to a trading server as the console does and prints the checks, beside a server or without one;
 * nothing is written to the database. With `move` it moves 0.01 in and out on a demo login. Returns whether all went
 * well; throws a sentence for what it refuses.
 */
export async function testTerminalHere(
  config: Config,
  name: string,
  flags: TerminalTestFlags,
  parts: Parts,
): Promise<boolean> {
  checkFlags(flags)
  const known = readConnection(config, flags.firm, name)
  const { row, address } = known
  // a second simulator would write the file of the one that the server runs
  if (row.driver === 'simulator')
    throw new Error('This connection is a simulator inside the server, which tests it itself.')
  const terminal = getDesk({ app: {} }).connect(row.driver, address)
  try {
    return await testTerminal(terminal, known, flags, parts)
  } catch (error) {
    if (error instanceof TerminalFault) throw new Error(explainFault(error.code, error.detail), { cause: error })
    throw error
  } finally {
    await terminal.quit()
  }
}
