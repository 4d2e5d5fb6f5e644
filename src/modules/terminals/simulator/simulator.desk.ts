import { TerminalFault } from '../contract/fault.ts'
import type {
  Change,
  Deal as ContractDeal,
  DealQuery,
  NewLogin,
  OpenPosition,
  Outcome,
  TerminalAddress,
} from '../contract/terminal.ts'
import { addAccount, ENABLED, isGoodPassword, moveGroup, TRADE_DISABLED } from './simulator.accounts.ts'
import { isAmong, isShown } from './simulator.calls.ts'
import { tellDeal, tellPosition } from './simulator.contract.ts'
import { getGroup } from './simulator.engine.ts'
import type { House } from './simulator.house.ts'
import { type Account, type Manager, Refusal } from './simulator.state.ts'

/** What a connection of the driver stands on. */
export type Desk = { house: House; address: TerminalAddress }

/** Returns the manager of the address; throws where the sign-in is refused. */
export function signIn({ house, address }: Desk): Manager {
  const manager = house.engine.state.managers.get(Number(address.login))
  if (manager === undefined || manager.password !== address.password) throw new TerminalFault('wrong_account')
  if (manager.refusal !== null) throw new TerminalFault('account_disabled', { code: String(manager.refusal) })
  return manager
}

/** Returns whether a group is among those that the manager sees and the address asks for. */
export const isInReach = ({ address }: Desk, manager: Manager, group: string): boolean =>
  isAmong(group, manager.masks) && isAmong(group, address.masks)

/** Iterates over accounts in reach. */
export function* listAccounts(desk: Desk, logins: readonly string[] | 'all'): Iterable<Account> {
  const { accounts } = desk.house.engine.state
  const manager = signIn(desk)
  const asked = logins === 'all' ? accounts.values() : logins.map((login) => accounts.get(Number(login)))
  for (const account of asked) if (account !== undefined && isInReach(desk, manager, account.group)) yield account
}

/** Iterates over the deals of a query. */
export function* listDeals(desk: Desk, query: DealQuery): Iterable<ContractDeal> {
  const { engine } = desk.house
  if ('ids' in query) {
    const manager = signIn(desk)
    for (const id of query.ids) {
      const deal = engine.state.deals.get(Number(id))
      const account = deal === undefined ? undefined : engine.state.accounts.get(deal.login)
      if (deal && account && isInReach(desk, manager, account.group) && isShown(engine, deal))
        yield tellDeal(engine, account, deal)
    }
    return
  }
  for (const account of listAccounts(desk, query.logins))
    for (const deal of account.deals)
      if (deal.at >= query.from && deal.at <= query.to && isShown(engine, deal)) yield tellDeal(engine, account, deal)
}

/** Iterates over open positions. */
export function* listPositions(desk: Desk, logins: readonly string[] | 'all'): Iterable<OpenPosition> {
  const { engine } = desk.house
  for (const account of listAccounts(desk, logins))
    for (const position of account.positions.values()) yield tellPosition(engine, account, position)
}

/** Does what changes something, and saves it before the answer. */
export function instruct(desk: Desk, right: number, run: (manager: Manager) => string): Outcome {
  try {
    const manager = signIn(desk)
    if (!manager.rights.includes(right)) return { is: 'refused', code: '8' }
    const id = run(manager)
    desk.house.save()
    return { is: 'done', id }
  } catch (error) {
    if (error instanceof TerminalFault) return { is: 'not_sent', why: error.code }
    if (error instanceof Refusal) return { is: 'refused', code: String(error.code) }
    throw error
  }
}

/** Returns an account in reach; refuses others as the platform does. */
export function getOwn(desk: Desk, manager: Manager, login: string): Account {
  const account = desk.house.engine.state.accounts.get(Number(login))
  if (account === undefined) throw new Refusal(13)
  if (!isInReach(desk, manager, account.group)) throw new Refusal(8)
  return account
}

const setBit = (rights: number, bit: number, on: boolean): number => (on ? rights | bit : rights & ~bit)

/** Sets one value of an account. */
export function changeAccount({ house: { engine } }: Desk, account: Account, given: Change): void {
  engine.changes += 1
  if ('leverage' in given) account.leverage = given.leverage
  else if ('group' in given) {
    if (!engine.state.groups.has(given.group)) throw new Refusal(13)
    moveGroup(engine, { login: account.login, group: given.group })
  } else if ('trading' in given) account.rights = setBit(account.rights, TRADE_DISABLED, !given.trading)
  else if ('signIn' in given) account.rights = setBit(account.rights, ENABLED, given.signIn)
  else {
    const { passwordLength } = getGroup(engine, account.group)
    if (!isGoodPassword(given.value, passwordLength)) throw new Refusal(3006)
    account[given.password] = given.value
  }
}

/** Opens a login, whose comment is the reference. */
export function openLogin(desk: Desk, manager: Manager, order: NewLogin): string {
  if (!isInReach(desk, manager, order.group)) throw new Refusal(8)
  const { group, leverage, name, main, investor, reference, login = '0' } = order
  const given = { group, leverage, name, main, investor, comment: reference, login: Number(login) }
  return String(addAccount(desk.house.engine, given).login)
}
