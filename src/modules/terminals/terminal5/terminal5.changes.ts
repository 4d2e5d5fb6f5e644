import type { Change, NewLogin, Outcome } from '../contract/terminal.ts'
import { type Row, readNumber, readText } from './terminal5.answers.ts'
import { explainFault, judgeInstruction, judgeRead, judgeSilence, WRONG_PASSWORD } from './terminal5.codes.ts'
import { findAnswered } from './terminal5.money.ts'
import { PATHS } from './terminal5.paths.ts'
import { askInParts, type Reader, readTable, type Selection, writeSelection } from './terminal5.reader.ts'
import { MAY_NOT_TRADE, MAY_SIGN_IN, readRightBits } from './terminal5.rows.ts'

/** Signs in, changes the password, trails stops, runs experts, gets reports: what a client usually may. */
const USUAL_RIGHTS = String(0x1e3)

/** Divides a name in the fields that newer terminals have for it. */
function divideName(name: string): { FirstName: string; LastName: string } {
  const parts = name.trim().split(/\s+/)
  const [last = ''] = parts.length > 1 ? parts.splice(-1) : []
  return { FirstName: parts.join(' '), LastName: last }
}

/** Opens a login, once. */
export async function openLogin({ session }: Reader, order: NewLogin): Promise<Outcome> {
  const body = {
    ...(order.login === undefined ? {} : { Login: order.login }),
    Group: order.group,
    Name: order.name,
    ...divideName(order.name),
    Leverage: String(order.leverage),
    Rights: USUAL_RIGHTS,
    PassMain: order.main,
    PassInvestor: order.investor,
    Comment: order.reference,
  }
  try {
    const said = await session.write({ path: PATHS.add, body })
    return judgeInstruction('change', said, findAnswered(said.answer, 'Login'))
  } catch (error) {
    return judgeSilence(error)
  }
}

/** Returns the login of a group whose comment is the reference, by a session made anew. */
export async function findOpened(
  reader: Reader,
  { group, reference }: { group: string; reference: string },
): Promise<string | null> {
  await reader.session.renew()
  const ask = (part: Selection): Promise<Row[]> => readTable(reader, { path: PATHS.users, query: writeSelection(part) })
  for await (const rows of askInParts(reader, { mask: group }, 'opened', ask)) {
    const found = rows.find((row) => readText(row, 'Comment').trim() === reference)
    if (found !== undefined) return readNumber(found, 'Login')
  }
  return null
}

async function readUser(reader: Reader, login: string): Promise<Row | undefined> {
  const rows = await readTable(reader, { path: PATHS.users, query: { login } })
  return rows.find((row) => readNumber(row, 'Login') === login)
}

/** What a change sets: the fields that are sent, and whether a login has them. */
type Setting = { fields: Readonly<Record<string, string>>; isSet: (user: Row) => boolean }

const withBit = (bits: bigint, bit: bigint, isOn: boolean): bigint => (isOn ? bits | bit : bits & ~bit)

function planRight(user: Row, bit: bigint, isOn: boolean): Setting {
  return {
    fields: { Rights: String(withBit(readRightBits(user), bit, isOn)) },
    isSet: (after) => ((readRightBits(after) & bit) !== 0n) === isOn,
  }
}

function planSetting(change: Exclude<Change, { password: string }>, user: Row): Setting {
  if ('leverage' in change) {
    const leverage = String(change.leverage)
    return { fields: { Leverage: leverage }, isSet: (after) => readNumber(after, 'Leverage') === leverage }
  }
  if ('group' in change)
    return { fields: { Group: change.group }, isSet: (after) => readText(after, 'Group') === change.group }
  if ('trading' in change) return planRight(user, MAY_NOT_TRADE, !change.trading)
  return planRight(user, MAY_SIGN_IN, change.signIn)
}

const NOT_APPLIED: Outcome = { is: 'refused', code: 'not_applied' }
const NO_LOGIN: Outcome = { is: 'refused', code: 'no_login' }

async function setValue(
  reader: Reader,
  login: string,
  change: Exclude<Change, { password: string }>,
): Promise<Outcome> {
  let setting: Setting
  try {
    const user = await readUser(reader, login)
    if (user === undefined) return NO_LOGIN
    setting = planSetting(change, user)
  } catch (error) {
    return { is: 'not_sent', why: explainFault(error) }
  }
  try {
    const said = await reader.session.write({ path: PATHS.update, body: { Login: login, ...setting.fields } })
    const outcome = judgeInstruction('change', said, login)
    if (outcome.is !== 'done') return outcome
  } catch (error) {
    return judgeSilence(error)
  }
  try {
    const after = await readUser(reader, login)
    return after !== undefined && setting.isSet(after) ? { is: 'done', id: login } : NOT_APPLIED
  } catch (error) {
    return { is: 'unclear', why: explainFault(error) }
  }
}

async function setPassword(
  { session }: Reader,
  login: string,
  { password, value }: { password: 'main' | 'investor'; value: string },
): Promise<Outcome> {
  const body = { Login: login, Type: password, Password: value }
  try {
    const said = await session.write({ path: PATHS.password, body })
    const outcome = judgeInstruction('change', said, login)
    if (outcome.is !== 'done') return outcome
  } catch (error) {
    return judgeSilence(error)
  }
  try {
    const said = await session.read({ path: PATHS.checkPassword, body })
    if (said.code === WRONG_PASSWORD) return NOT_APPLIED
    const fault = judgeRead(said, PATHS.checkPassword)
    return fault === null ? { is: 'done', id: login } : { is: 'unclear', why: explainFault(fault) }
  } catch (error) {
    return { is: 'unclear', why: explainFault(error) }
  }
}

/** Sets one value of a login and reads it back. */
export const setLogin = (reader: Reader, login: string, change: Change): Promise<Outcome> =>
  'password' in change ? setPassword(reader, login, change) : setValue(reader, login, change)
