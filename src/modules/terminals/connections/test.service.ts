import type { Ctx } from '../../../platform/access/ctx.ts'
import { perTenant } from '../../../platform/capabilities.ts'
import { DAY, HOUR, toIso } from '../../../platform/clock.ts'
import { isCurrency } from '../../../platform/money.ts'
import { say } from '../../../words/say.ts'
import { getDesk, type RemoteTerminal } from '../child/desk.ts'
import { TerminalFault } from '../contract/fault.ts'
import { type Certificate, type Hello, RIGHTS } from '../contract/terminal.ts'
import { terminalErrors } from './connections.errors.ts'
import { findPending } from './connections.model.ts'
import { type ConnectionRow, type GroupMask, terminalConnections, terminalHealth } from './connections.table.ts'
import { explainFault } from './fault-words.ts'
import { findType } from './groups.ts'
import { noteHealth } from './health.ts'
import { buildAddress } from './terminal-address.ts'
import type { Check, Test } from './test.model.ts'

/** A firm has at most this many tests an hour. */
const MOST_TESTS = 10
/** A certificate that ends within this time is looked at closer. */
const ENDS_SOON = 21 * DAY
/** A clock may be this far beside a quarter of an hour. */
export const MOST_SKEW_MS = 120_000

/** What each function of the connection needs; whatever else a login may do, it should not. */
const NEEDS = {
  read: ['connect', 'accounts', 'trades'],
  open: ['connect', 'accounts', 'change'],
  change: ['connect', 'accounts', 'change'],
  money: ['connect', 'accounts', 'money'],
} as const
const NEEDLESS = ['administrator', 'delete', 'edit_trades'] as const

/** The tests of a firm: whether one runs, and when the last ones began. */
const getTests = perTenant(() => ({ isRunning: false, began: [] as number[] }))

type Right = (typeof RIGHTS)[number]
const nameRights = (rights: readonly Right[]): string =>
  rights.map((right) => say(`terminals.right.${right}`)).join(', ')

/** Returns for each function whether the login may do it, and the rights that it should not have. */
function checkRights(rights: readonly Right[]): Check[] {
  const functions = (['read', 'open', 'change', 'money'] as const).map((name): Check => {
    const missing = NEEDS[name].filter((right) => !rights.includes(right))
    return missing.length === 0
      ? { name, state: 'fine', text: say('terminals.test.right.fine') }
      : { name, state: 'fails', text: say('terminals.test.right.fails', { rights: nameRights(missing) }) }
  })
  const needless = NEEDLESS.filter((right) => rights.includes(right))
  const rest: Check =
    needless.length === 0
      ? { name: 'needless', state: 'fine', text: say('terminals.test.needless.fine') }
      : {
          name: 'needless',
          state: 'look_closer',
          text: say('terminals.test.needless.look_closer', { rights: nameRights(needless) }),
        }
  return [...functions, rest]
}

function checkGroups(groups: Hello['groups'], masks: readonly GroupMask[]): Check {
  const read = groups.filter(({ name }) => findType(masks, name) !== null)
  const unknown = read.filter(({ currency }) => !isCurrency(currency)).map(({ name }) => name)
  if (read.length === 0) return { name: 'groups', state: 'fails', text: say('terminals.test.groups.fails') }
  if (unknown.length > 0)
    return {
      name: 'groups',
      state: 'look_closer',
      text: say('terminals.test.groups.look_closer', { names: unknown.slice(0, 20).join(', ') }),
    }
  return { name: 'groups', state: 'fine', text: say('terminals.test.groups.fine', { count: read.length }) }
}

const checkClock = ({ skewMs, offsetMinutes }: Hello): Check =>
  Math.abs(skewMs) > MOST_SKEW_MS
    ? { name: 'clock', state: 'fails', text: say('terminals.test.clock.fails', { seconds: Math.round(skewMs / 1000) }) }
    : { name: 'clock', state: 'fine', text: say('terminals.test.clock.fine', { minutes: offsetMinutes }) }

const failed = (name: Check['name'], { code, detail }: TerminalFault): Check => ({
  name,
  state: 'fails',
  text: explainFault(code, detail),
})
/** Returns the fault of a call; rethrows any other error. */
function toFault(error: unknown): TerminalFault {
  if (error instanceof TerminalFault) return error
  throw error
}

const isAboutCertificate = ({ code }: TerminalFault): boolean => code.startsWith('certificate_')

/** Asks a terminal what it is; every answer is a check, and nothing is changed there. */
async function ask(terminal: RemoteTerminal, masks: readonly GroupMask[], now: number) {
  let certificate: Certificate | null = null
  let unseen: TerminalFault | null = null
  try {
    certificate = await terminal.presented()
  } catch (error) {
    unseen = toFault(error)
  }
  let hello: Hello
  try {
    hello = await terminal.hello()
  } catch (error) {
    const fault = toFault(error)
    const checks: Check[] = [failed(unseen || isAboutCertificate(fault) ? 'certificate' : 'sign_in', unseen ?? fault)]
    return { certificate, hello: null, fault, checks }
  }
  const endsSoon = certificate !== null && certificate.validTo < now + ENDS_SOON
  const trusted: Check = endsSoon
    ? {
        name: 'certificate',
        state: 'look_closer',
        text: say('terminals.test.certificate.look_closer', { end: new Date(certificate?.validTo ?? 0) }),
      }
    : { name: 'certificate', state: 'fine', text: say('terminals.test.certificate.fine') }
  const signedIn: Check = {
    name: 'sign_in',
    state: 'fine',
    text: say('terminals.test.sign_in.fine', { build: hello.build }),
  }
  const checks = [trusted, signedIn, checkClock(hello), checkGroups(hello.groups, masks), ...checkRights(hello.rights)]
  return { certificate, hello, fault: null, checks }
}

/** Takes the place of the one test that a firm may run; throws if there is none. */
function beginTest(ctx: Ctx): { end(): void } {
  const tests = getTests(ctx)
  if (tests.isRunning) throw terminalErrors.one_test()
  tests.began = tests.began.filter((at) => at > ctx.now() - HOUR)
  if (tests.began.length >= MOST_TESTS) throw terminalErrors.too_many_tests()
  tests.began.push(ctx.now())
  tests.isRunning = true
  return {
    end: () => {
      tests.isRunning = false
    },
  }
}

function toTest(
  { certificate, hello, checks }: Awaited<ReturnType<typeof ask>>,
  row: Pick<ConnectionRow, 'groups'>,
  at: number,
): Test {
  const had = hello?.rights ?? []
  const needed = new Set<Right>(Object.values(NEEDS).flat())
  return {
    at: toIso(at),
    checks,
    certificate: certificate && { ...certificate, validTo: toIso(certificate.validTo) },
    rights: {
      had,
      missing: hello === null ? [] : RIGHTS.filter((right) => needed.has(right) && !had.includes(right)),
      needless: NEEDLESS.filter((right) => had.includes(right)),
    },
    groups: (hello?.groups ?? []).map(({ name, currency, marginMode }) => ({
      name,
      currency,
      marginMode,
      type: findType(row.groups, name),
    })),
    build: hello?.build ?? null,
  }
}

/** Asks a terminal what it is and what our login may do there; it reads only, and nothing is written here. */
export async function examineTerminal(terminal: RemoteTerminal, row: Pick<ConnectionRow, 'groups'>, now: number) {
  const found = await ask(terminal, row.groups, now)
  return { result: toTest(found, row, now), hello: found.hello, fault: found.fault }
}

/**
 * Tests a connection by its settings in force, or by those that wait: certificate, sign-in, clock, groups and rights.
 * It reads only. A success ends an error that a person had to look at.
 */
export async function testConnection(ctx: Ctx, id: string, isPending: boolean): Promise<Test> {
  const row = ctx.db.get(terminalConnections, id)
  const pending = isPending && row.confirmedAt !== null ? findPending(row, ctx.now()) : null
  if (isPending && row.confirmedAt !== null && pending === null) throw terminalErrors.nothing_pending()
  const place = beginTest(ctx)
  const changes = pending
    ? { fields: pending.fields, password: pending.hasPassword ? row.pendingPassword : null }
    : undefined
  const tested = { ...row, ...changes?.fields }
  const terminal = getDesk(ctx).connect(row.driver, buildAddress(ctx, row, changes))
  try {
    const { result, fault } = await examineTerminal(terminal, tested, ctx.now())
    return await ctx.write('terminals.test', (tx) => {
      tx.audit({
        entity: 'terminal_connection',
        entityId: id,
        after: { checks: result.checks.map(({ name, state }) => `${name}: ${state}`) },
      })
      noteHealth(tx, id, { testedAt: tx.now, test: result })
      // what waits for a confirmation says nothing of the settings in force
      if (!pending && fault === null && tx.find(terminalHealth, { id })?.state !== 'connected')
        noteHealth(tx, id, { state: 'connecting', nextTryAt: null, failures: 0 })
      return result
    })
  } finally {
    place.end()
    await terminal.quit()
  }
}
