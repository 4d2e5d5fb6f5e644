import { toLocal } from '../contract/terminal-clock.ts'
import {
  type Call,
  countReply,
  isAmong,
  needInteger,
  needText,
  type Reply,
  readList,
  readText,
} from './simulator.calls.ts'
import { READING } from './simulator.reading.ts'
import { shapeGroup, shapeManager, shapeSymbol } from './simulator.shapes.ts'
import { type Engine, type Group, Refusal } from './simulator.state.ts'
import { USERS } from './simulator.users.ts'

/** Lists by mask have at most so many rows; longer ones are cut with the code for a part. */
const MOST_BY_MASK = 5000
const PARTIAL = 14

/** Writes the local time of the server: as seconds, and as a person reads it. */
function writeTime(engine: Engine): string {
  const local = toLocal(engine.state.clock, engine.now())
  const text = new Date(local).toISOString()
  return `${Math.floor(local / 1000)} ${text.slice(0, 10).replaceAll('-', '.')} ${text.slice(11, 19)}`
}

const findMinutes = ({ state, now }: Engine): number =>
  state.clock.findLast(({ from }) => from <= now())?.minutes ?? state.clock[0]?.minutes ?? 0

const getTime = ({ engine }: Call): Reply => ({
  retcode: 0,
  answer: {
    TimeServer: '',
    TimeZone: String(findMinutes(engine)),
    Daylight: engine.state.clock.length > 1 ? '1' : '0',
    DaylightState: '0',
  },
})

function getCommon({ engine }: Call): Reply {
  const { accounts, deals, positions, build } = engine.state
  const isReal = (group: string): boolean => !/^(manager|demo|preliminary|contest)/.test(group)
  const real = [...accounts.values()].filter(({ group }) => isReal(group)).length
  return {
    retcode: 0,
    answer: {
      Name: 'Simulator',
      Owner: 'Simulated Markets',
      Account: '',
      LiveUpdateMode: '0',
      TotalUsers: String(accounts.size),
      TotalUsersReal: String(real),
      TotalDeals: String(deals.size),
      TotalOrders: '0',
      TotalPositions: String(positions.size),
      Build: String(build),
    },
  }
}

function getManager(call: Call): Reply {
  const asked = readText(call, 'login') ?? 'self'
  if (asked !== 'self' && asked !== String(call.manager.login)) throw new Refusal(8)
  return { retcode: 0, answer: shapeManager(call.manager) }
}

const listGroups = (call: Call): Group[] =>
  [...call.engine.state.groups.values()].filter(({ name }) => isAmong(name, call.manager.masks))

/** Answers one group as an object if it is asked for by its whole name, and a list if by masks. */
function getGroups(call: Call): Reply {
  const asked = readList(call, 'group') ?? readList(call, 'mask') ?? []
  const [first = ''] = asked
  const all = listGroups(call)
  if (asked.length === 1 && !/[*!]/.test(first)) {
    const group = all.find(({ name }) => name === first)
    if (group === undefined) throw new Refusal(13)
    return { retcode: 0, answer: shapeGroup(group) }
  }
  const found = all.filter(({ name }) => isAmong(name, asked))
  return { retcode: found.length > MOST_BY_MASK ? PARTIAL : 0, rows: found.slice(0, MOST_BY_MASK).map(shapeGroup) }
}

function getNextGroup(call: Call): Reply {
  const group = listGroups(call)[needInteger(call, 'index')]
  if (group === undefined) throw new Refusal(13)
  return { retcode: 0, answer: shapeGroup(group) }
}

function getSymbols(call: Call): Reply {
  const asked = needText(call, 'symbol')
  const all = [...call.engine.state.symbols.values()]
  if (!/[*!,]/.test(asked) || call.engine.state.symbols.has(asked)) {
    const symbol = call.engine.state.symbols.get(asked)
    if (symbol === undefined) throw new Refusal(13)
    return { retcode: 0, answer: shapeSymbol(symbol) }
  }
  const found = all.filter(({ name }) => isAmong(name, asked.split(',')))
  return { retcode: found.length > MOST_BY_MASK ? PARTIAL : 0, rows: found.slice(0, MOST_BY_MASK).map(shapeSymbol) }
}

/** Every call that the server knows, by its path, except those of signing in. */
export const CALLS: ReadonlyMap<string, (call: Call) => Reply> = new Map([
  ['/api/test/access', (): Reply => ({ retcode: 0 })],
  ['/api/quit', (): Reply => ({ retcode: 0 })],
  ['/api/time/server', ({ engine }: Call): Reply => ({ retcode: 0, answer: { time: writeTime(engine) } })],
  ['/api/time/get', getTime],
  ['/api/common/get', getCommon],
  ['/api/manager/get', getManager],
  ['/api/group/get', getGroups],
  ['/api/group/list', (call: Call): Reply => ({ retcode: 0, answer: listGroups(call).map(({ name }) => name) })],
  ['/api/group/next', getNextGroup],
  ['/api/group/total', (call: Call): Reply => countReply(call, listGroups(call).length)],
  ['/api/symbol/get', getSymbols],
  ['/api/symbol/get_group', getSymbols],
  ['/api/symbol/list', ({ engine }: Call): Reply => ({ retcode: 0, answer: [...engine.state.symbols.keys()] })],
  ['/api/symbol/total', (call: Call): Reply => countReply(call, call.engine.state.symbols.size)],
  ...Object.entries(READING),
  ...Object.entries(USERS),
])

const NAMES: Readonly<Record<number, string>> = {
  0: 'Done',
  1: 'OK',
  3: 'Invalid parameters',
  4: 'Invalid data',
  8: 'Not enough permissions',
  12: 'Too frequent requests',
  13: 'Not found',
  14: 'Partial data',
  1000: 'Invalid client type',
  1001: 'Invalid account',
  1002: 'Account disabled',
  1010: 'Old client version',
  1011: 'No manager configuration',
  1012: 'Address not allowed',
  1018: 'Server busy',
  3002: 'No free logins',
  3004: 'Account exists',
  3006: 'Invalid password',
  3010: 'Other currency',
  4005: 'Amount too large',
  10019: 'Not enough money',
}

/** Writes a code as answers have it, with its text. */
export const writeRetcode = (code: number): string => `${code} ${NAMES[code] ?? 'Error'}`
