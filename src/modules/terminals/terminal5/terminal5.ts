import type { Driver, Terminal, TerminalAddress } from '../contract/terminal.ts'
import { findOpened, openLogin, setLogin } from './terminal5.changes.ts'
import { readCertificate } from './terminal5.dial.ts'
import { type Environment, systemEnvironment } from './terminal5.environment.ts'
import { readHello } from './terminal5.hello.ts'
import { findMoney, moveMoney } from './terminal5.money.ts'
import { packMasks, type Reader, readLogins } from './terminal5.reader.ts'
import { readArchived, readDeals, readPeople, readPositions, readStates } from './terminal5.reading.ts'
import { createPace, createSession } from './terminal5.session.ts'

async function listLogins(reader: Reader): Promise<string[]> {
  const logins = new Set<string>()
  for (const mask of packMasks(reader.address.masks))
    for (const login of await readLogins(reader, mask)) logins.add(login)
  return [...logins]
}

function connect(address: TerminalAddress, env: Environment): Terminal {
  const pace = createPace(address.requestsPerSecond, env)
  const createReader = (): Reader => {
    const session = createSession(address, pace, env)
    return { session, address, env, found: [], avoided: new Set() }
  }
  const reading = createReader()
  const money = createReader()
  return {
    hello: () => readHello(reading),
    logins: () => listLogins(reading),
    states: (logins) => readStates(reading, logins),
    archived: (logins) => readArchived(reading, logins),
    people: (logins) => readPeople(reading, logins),
    deals: (query) => readDeals(reading, query),
    positions: (logins) => readPositions(reading, logins),
    move: (order) => moveMoney(money, order),
    find: (order) => findMoney(money, order),
    open: (order) => openLogin(money, order),
    findOpened: (order) => findOpened(money, order),
    set: (login, change) => setLogin(money, login, change),
    quit: async () => {
      await Promise.all([reading.session.quit(), money.session.quit()])
    },
  }
}

/** Creates the driver of the Web API of MetaTrader 5. */
export const createTerminal5 = (env: Environment = systemEnvironment): Driver => ({
  name: 'terminal5',
  traits: { closes: 'deals', money: 'look-up', clock: 'local', stream: false },
  connect: (address) => connect(address, env),
  presented: (address) => readCertificate(address, env),
})
