import { terminalConnections } from '../modules/terminals/connections/connections.table.ts'
import { terminalDeals } from '../modules/terminals/deals/deals.table.ts'
import { terminalFindings } from '../modules/terminals/findings/findings.table.ts'
import { terminalLogins } from '../modules/terminals/logins/logins.table.ts'
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

/** Returns makers of rows about trading servers. */
export function terminalMakers({ ctx, unique, post, readId }: Room) {
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
      return null
    })
    return connectionId
  }
  return { terminalRoom, terminalConnection, finding, readTerminal }
}
