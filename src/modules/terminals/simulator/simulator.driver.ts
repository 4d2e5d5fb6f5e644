import { type Clock, systemClock } from '../../../platform/clock.ts'
import type { Driver, Terminal, TerminalAddress } from '../contract/terminal.ts'
import { tellGroup, tellRights, tellState } from './simulator.contract.ts'
import {
  changeAccount,
  type Desk,
  getOwn,
  instruct,
  isInReach,
  listAccounts,
  listDeals,
  listPositions,
  openLogin,
  signIn,
} from './simulator.desk.ts'
import { makeHouses, type Repeat } from './simulator.house.ts'
import { bookMoney } from './simulator.money.ts'

const MOST_DEALS = 100
const MOST_ROWS = 250
const MONEY = 24
const CHANGE = 27

/** Cuts rows into pieces, and lets others run between two of them. */
async function* cut<T, R>(rows: Iterable<T>, most: number, tell: (row: T) => R): AsyncIterable<R[]> {
  let piece: R[] = []
  for (const row of rows) {
    piece.push(tell(row))
    if (piece.length < most) continue
    yield piece
    piece = []
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
  if (piece.length > 0) yield piece
}

const keep = <T>(row: T): T => row

type Reading = Pick<Terminal, 'hello' | 'logins' | 'states' | 'archived' | 'people' | 'deals' | 'positions'>

function makeReading(desk: Desk): Reading {
  const { engine } = desk.house
  return {
    hello: async () => {
      const manager = signIn(desk)
      const groups = [...engine.state.groups.values()].filter(({ name }) => isInReach(desk, manager, name))
      const { build, skew } = engine.state
      // the books are in UTC, and what is read here never passes through the clock that clients see
      return {
        build: String(build),
        offsetMinutes: 0,
        skewMs: skew,
        rights: tellRights(manager),
        groups: groups.map(tellGroup),
      }
    },
    logins: async () => [...listAccounts(desk, 'all')].map(({ login }) => String(login)),
    states: (logins) => cut(listAccounts(desk, logins), MOST_ROWS, (account) => tellState(engine, account)),
    archived: async (logins) => {
      signIn(desk)
      const { archive, accounts } = engine.state
      return logins.filter((login) => archive.has(Number(login)) && !accounts.has(Number(login)))
    },
    people: async (logins) =>
      [...listAccounts(desk, logins)].map(({ login, name, email, phone, country }) => ({
        login: String(login),
        name,
        email,
        phone,
        country,
      })),
    deals: (query) => cut(listDeals(desk, query), MOST_DEALS, keep),
    positions: (logins) => cut(listPositions(desk, logins), MOST_ROWS, keep),
  }
}

function makeTerminal(desk: Desk): Terminal {
  const { engine } = desk.house
  return {
    ...makeReading(desk),
    move: async ({ login, amount, reference }) =>
      instruct(desk, MONEY, (manager) => {
        const account = getOwn(desk, manager, login)
        const order = { login: account.login, type: 2, amount, comment: reference, checkMargin: true }
        return String(bookMoney(engine, order).id)
      }),
    find: async ({ login, reference, since }) => {
      const to = Number.MAX_SAFE_INTEGER
      const deals = [...listDeals(desk, { logins: [login], from: since, to })]
      return deals.filter(({ comment }) => comment.startsWith(reference))
    },
    open: async (order) => instruct(desk, CHANGE, (manager) => openLogin(desk, manager, order)),
    findOpened: async ({ group, reference }) => {
      for (const account of listAccounts(desk, 'all'))
        if (account.group === group && account.comment === reference) return String(account.login)
      return null
    },
    set: async (login, change) =>
      instruct(desk, CHANGE, (manager) => {
        changeAccount(desk, getOwn(desk, manager, login), change)
        return login
      }),
    quit: async () => desk.house.leave(),
  }
}

/** The last day that a certificate can name. */
const NEVER = Date.UTC(9999, 11, 31)

/**
 * Makes the driver of simulated servers inside this program, without a network. Its address is `https://simulator`,
 * and may say how many `accounts`, `positions` and `deals` a new one has, its `seed`, and by `state` the file that
 * keeps it, whose name ends in `.simulator`: `https://simulator?accounts=50&state=/var/lib/brokerbase/desk.simulator`.
 * The same address is the same server. It trades by itself while somebody is connected.
 */
export const makeSimulatorDriver = (time: Clock, repeat: Repeat): Driver => driveHouses(makeHouses(time, repeat))

/** Makes the driver of servers that others may enter too. */
export function driveHouses(enter: ReturnType<typeof makeHouses>): Driver {
  return {
    name: 'simulator',
    traits: { closes: 'deals', money: 'look-up', clock: 'utc', stream: false },
    connect: (address: TerminalAddress) => makeTerminal({ house: enter(address.address), address }),
    presented: async () => ({ fingerprint: '', names: ['simulator'], issuer: 'simulator', validTo: NEVER }),
  }
}

const repeatByTimer: Repeat = (run, ms) => {
  const timer = setInterval(run, ms)
  timer.unref()
  return () => clearInterval(timer)
}

/** The driver of simulated servers, by the clock of the machine. */
export const simulatorDriver: Driver = makeSimulatorDriver(systemClock, repeatByTimer)
