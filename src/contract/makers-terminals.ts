import { terminalConnections } from '../modules/terminals/connections/connections.table.ts'
import { terminalDays } from '../modules/terminals/days/days.table.ts'
import { terminalDeals } from '../modules/terminals/deals/deals.table.ts'
import { terminalFindings } from '../modules/terminals/findings/findings.table.ts'
import { terminalInstructions } from '../modules/terminals/instructions/instructions.table.ts'
import { sealPasswords } from '../modules/terminals/instructions/passwords.ts'
import { terminalLogins } from '../modules/terminals/logins/logins.table.ts'
import { HOUR } from '../platform/clock.ts'
import { sha256Hex } from '../platform/secrets.ts'
import type { Room } from './seed-room.ts'

export const TERMINAL = {
  name: 'Live',
  driver: 'terminal5',
  platform: 'terminal5',
  address: 'https://127.0.0.1:9',
  trust: 'pinned',
  certificate: 'ab'.repeat(32),
  login: '1001',
  password: 'the-password-of-the-terminal-of-the-tests-0004',
  groups: [{ mask: 'real*', type: 'live' }],
} as const

/** Returns makers of what is asked of trading servers. */
function orderMakers({ ctx, firm, unique, post, readId }: Room, readTerminal: (login: string) => Promise<string>) {
  /** Makes a connection that opens accounts in the group `real`, which is known by a login. */
  const openingTerminal = async () => {
    const connectionId = await readTerminal(unique('6'))
    await ctx.write('test.confirm', (tx) => {
      tx.update(terminalConnections, connectionId, { confirmedAt: tx.now, confirmedBy: firm.as.admin.id })
      return null
    })
    return connectionId
  }
  /** Makes an account at a terminal that lists it. */
  const terminalAccount = async (traderId: string) => {
    const connectionId = await openingTerminal()
    const { platform, server } = ctx.db.get(terminalConnections, connectionId)
    const accountNumber = ctx.db.find(terminalLogins, { connectionId })?.login ?? ''
    const place = { platform, server, accountNumber }
    return readId(post('/v1/accounts', { traderId, ...place, currency: 'EUR' }))
  }
  /** Makes what was asked of a terminal: an account that is open, with passwords behind a link; returns its token. */
  const passwordLink = async (traderId: string) => {
    const connectionId = await openingTerminal()
    const token = unique('a-token-of-a-mailed-link-of-the-tests')
    const number = unique('7')
    const asked = {
      connectionId,
      kind: 'open',
      state: 'done',
      traderId,
      value: { group: 'real', leverage: 1 },
    } as const
    await ctx.write('test.instruction', (tx) => {
      const facts = { ...asked, currency: 'EUR', reference: unique('BB'), nextAt: tx.now, number, login: number }
      const row = tx.insert(terminalInstructions, facts)
      const link = { linkHash: sha256Hex(token), linkUntil: tx.now + HOUR }
      tx.update(terminalInstructions, row.id, { ...sealPasswords(ctx, row, ['main', 'investor']), ...link })
      return null
    })
    return token
  }
  /** Makes something that was asked of a terminal and waits. */
  const instruction = async (traderId: string) => {
    const asked = { traderId, connectionId: await openingTerminal(), group: 'real', leverage: 100, currency: 'EUR' }
    return readId(post('/v1/accounts/open', asked))
  }
  /** Makes a confirmed connection whose server has archived its only login, so that it need not be asked. */
  const confirmedTerminal = async () => {
    const connectionId = await readTerminal(unique('5'))
    return ctx.write('test.confirmed', (tx) => {
      tx.update(terminalConnections, connectionId, { confirmedAt: tx.now })
      for (const { id } of tx.list(terminalLogins, { connectionId }))
        tx.update(terminalLogins, id, { state: 'archived' })
      return connectionId
    })
  }
  return { openingTerminal, terminalAccount, passwordLink, instruction, confirmedTerminal }
}

/** Returns makers of rows about trading servers. */
export function terminalMakers(room: Room) {
  const { ctx, unique, post, readId } = room
  /** Makes room for one more connection to a trading server, of which a firm has few. */
  const terminalRoom = () =>
    ctx.write('test.room', (tx) => {
      // the first one is there for reads
      for (const { id } of tx.list(terminalConnections, {}, { orderBy: 'id' }).slice(1))
        tx.remove(terminalConnections, id)
      return null
    })
  /** Makes a connection to a trading server. */
  const terminalConnection = async () => {
    await terminalRoom()
    return readId(post('/v1/platforms/connections', { ...TERMINAL, server: unique('server') }))
  }
  /** Makes something that does not fit at a trading server. */
  const finding = async () => {
    const connectionId = await terminalConnection()
    const about = { connectionId, kind: 'login_gone', subject: unique('4'), detail: {} } as const
    return (await ctx.write('test.finding', (tx) => tx.insert(terminalFindings, about))).id
  }
  /** Makes a connection whose server has a login with a deal that was changed. */
  const readTerminal = async (login: string) => {
    const connectionId = await terminalConnection()
    await ctx.write('test.login', (tx) => {
      const now = { stateSince: tx.now, readAt: tx.now, registeredAt: tx.now }
      const may = { mayTrade: true, maySignIn: true, leverage: 100, accountType: 'live', groupName: 'real' } as const
      const money = { currency: 'EUR', balance: 100n, credit: 0n }
      tx.insert(terminalLogins, { connectionId, login, ...now, ...may, ...money })
      const amounts = { lots: '0', profit: '1.00', swap: '0', commission: '0', fee: '0', currency: 'EUR' }
      const words = { reason: 'client', comment: '', technical: false, state: 'live' } as const
      const deal = { connectionId, number: '9104417', login, at: tx.now, kind: 'balance', action: 2 } as const
      tx.insert(terminalDeals, { ...deal, ...amounts, ...words, flags: [] })
      const about = { connectionId, kind: 'login_gone', subject: login, detail: {} } as const
      tx.insert(terminalFindings, about)
      const moved = { transfersIn: 0n, transfersOut: 0n, trading: 0n, owned: 100n, unknown: 0n, unexplained: 0n }
      const had = { accounts: 1, balance: 100n, negative: 0n, credit: 0n, equity: 100n, owed: 100n, inFlight: 0n }
      const day = { connectionId, day: '2026-01-14', currency: 'EUR', equityAt: tx.now, state: 'owned' } as const
      tx.insert(terminalDays, { ...day, ...had, ...moved, revision: 1, replacedAt: tx.now })
      tx.insert(terminalDays, { ...day, ...had, ...moved, revision: 2 })
      return null
    })
    return connectionId
  }
  return {
    terminalRoom,
    terminalConnection,
    finding,
    readTerminal,
    ...orderMakers(room, readTerminal),
  }
}
