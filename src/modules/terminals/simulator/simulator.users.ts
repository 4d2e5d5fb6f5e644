import {
  addAccount,
  archiveAccount,
  deleteAccount,
  isGoodPassword,
  moveGroup,
  type NewAccount,
  restoreAccount,
} from './simulator.accounts.ts'
import {
  type Call,
  countReply,
  isAmong,
  listAccounts,
  needAccount,
  needRight,
  needText,
  normalize,
  type Reply,
  type Rows,
  readAsked,
  readInteger,
  readText,
  readWindow,
} from './simulator.calls.ts'
import { listDays } from './simulator.days.ts'
import { effect, getGroup, isCredit } from './simulator.engine.ts'
import { bookMoney } from './simulator.money.ts'
import { writeDecimal } from './simulator.numbers.ts'
import { type Row, shapeAccount, shapeUser } from './simulator.shapes.ts'
import { type Account, type Engine, Refusal } from './simulator.state.ts'

const ACCOUNTS = 25
const MODIFY = 27
const ACCOUNTANT = 24
const DELETE = 47

const DONE: Reply = { retcode: 0 }

/** Texts of a login that are kept as they are given. */
const TEXTS = ['City', 'State', 'ZIPCode', 'Address', 'ID', 'Status', 'LeadSource', 'LeadCampaign', 'Company']

const shapeFor = (call: Call) => (account: Account) => shapeUser(call.engine, account, call.manager)

function* rows(list: Iterable<Account | null>, shape: (account: Account) => Row | string | null): Rows {
  for (const account of list) yield account === null ? null : shape(account)
}

/** Returns whether the server knows how the money of a login stands: it has positions, or traded since the start. */
const isKnown = (engine: Engine, { login, positions }: Account): boolean =>
  positions.size > 0 || engine.state.touched.has(login)

function getState(call: Call): Reply {
  const account = needAccount(call)
  if (!isKnown(call.engine, account)) throw new Refusal(13)
  return { retcode: 0, answer: shapeAccount(call.engine, account) }
}

const batchStates = (call: Call): Reply => ({
  retcode: 0,
  rows: rows(listAccounts(call, readAsked(call)), (account) =>
    isKnown(call.engine, account) ? shapeAccount(call.engine, account) : null,
  ),
})

function readName(call: Call): string {
  const parts = ['firstname', 'middlename', 'lastname'].map((name) => readText(call, name) ?? '')
  const joined = parts.filter((part) => part !== '').join(' ')
  return joined === '' ? (readText(call, 'name') ?? '') : joined
}

const readTexts = (call: Call): Record<string, string> =>
  Object.fromEntries(
    TEXTS.flatMap((name) => {
      const text = readText(call, normalize(name))
      return text === null ? [] : [[name, text]]
    }),
  )

function addUser(call: Call): Reply {
  const group = needText(call, 'group')
  if (!isAmong(group, call.manager.masks)) throw new Refusal(8)
  const given: NewAccount = {
    group,
    name: readName(call),
    leverage: readInteger(call, 'leverage') ?? 0,
    main: readText(call, 'passmain') ?? '',
    investor: readText(call, 'passinvestor') ?? '',
    login: readInteger(call, 'login') ?? 0,
    email: readText(call, 'email') ?? '',
    phone: readText(call, 'phone') ?? '',
    country: readText(call, 'country') ?? '',
    comment: (readText(call, 'comment') ?? '').slice(0, 63),
    texts: readTexts(call),
  }
  const rights = readInteger(call, 'rights')
  const account = addAccount(call.engine, rights === null ? given : { ...given, rights })
  return { retcode: 0, answer: shapeFor(call)(account) }
}

/** Returns a number that may be set, and null for one that the platform passes over in silence. */
function readGood(call: Call, name: string, most: number): number | null {
  const text = readText(call, name)
  return text !== null && /^\d{1,9}$/.test(text) && Number(text) > 0 && Number(text) <= most ? Number(text) : null
}

/** Sets what it knows. Wrong values and unknown names are passed over, and the answer is that all is done. */
function updateUser(call: Call): Reply {
  const account = needAccount(call)
  const group = readText(call, 'group')
  if (group !== null && group !== account.group && call.engine.state.groups.has(group)) {
    if (!isAmong(group, call.manager.masks)) throw new Refusal(8)
    moveGroup(call.engine, { login: account.login, group })
  }
  account.leverage = readGood(call, 'leverage', 5000) ?? account.leverage
  account.rights = readGood(call, 'rights', 0xff_ffff) ?? account.rights
  const name = readName(call)
  if (name !== '') account.name = name
  for (const field of ['email', 'phone', 'country', 'comment'] as const)
    account[field] = readText(call, field) ?? account[field]
  Object.assign(account.texts, readTexts(call))
  call.engine.changes += 1
  return { retcode: 0, answer: shapeFor(call)(account) }
}

function changePassword(call: Call): Reply {
  const account = needAccount(call)
  const [type, password] = [needText(call, 'type'), readText(call, 'password') ?? '']
  if (!['main', 'investor', 'api'].includes(type)) throw new Refusal(3)
  if (!isGoodPassword(password, getGroup(call.engine, account.group).passwordLength)) throw new Refusal(3006)
  if (type === 'main') account.main = password
  if (type === 'investor') account.investor = password
  call.engine.changes += 1
  return DONE
}

function checkPassword(call: Call): Reply {
  const account = needAccount(call)
  const expected = needText(call, 'type') === 'investor' ? account.investor : account.main
  if (needText(call, 'password') !== expected) throw new Refusal(3006)
  return DONE
}

/** Compares the balance with the sum of the deals; `fixflag` writes that sum into the account. */
function checkBalance(call: Call): Reply {
  const account = needAccount(call)
  const { digits } = getGroup(call.engine, account.group)
  const [balance, credit] = account.deals.reduce(
    ([of, credits = 0], deal) =>
      isCredit(deal.action) ? [of, credits + deal.profit] : [(of ?? 0) + effect(deal), credits],
    [0, 0],
  )
  const isSame = balance === account.balance && credit === account.credit
  const answer = {
    balance: { user: writeDecimal(account.balance, digits), history: writeDecimal(balance ?? 0, digits) },
    credit: { user: writeDecimal(account.credit, digits), history: writeDecimal(credit ?? 0, digits) },
  }
  if (readInteger(call, 'fixflag') === 1) {
    Object.assign(account, { balance, credit, notBooked: 0 })
    call.engine.changes += 1
  }
  return { retcode: isSame ? 0 : 4, answer }
}

function book(call: Call): Reply {
  const deal = bookMoney(call.engine, {
    login: needAccount(call).login,
    type: readInteger(call, 'type') ?? 0,
    amount: needText(call, 'balance'),
    comment: readText(call, 'comment') ?? '',
    checkMargin: readText(call, 'checkmargin') !== '0',
  })
  deal.comment += call.conditions.commentSuffix
  deal.dealer = call.manager.login
  return { retcode: 0, answer: { Ticket: String(deal.id) } }
}

const inArchive = (call: Call) => call.engine.state.archive

const archiveOne = (call: Call): Reply => {
  archiveAccount(call.engine, { login: needAccount(call).login })
  return DONE
}
const restoreOne = (call: Call): Reply => {
  restoreAccount(call.engine, { login: needAccount(call, inArchive(call)).login })
  return DONE
}
const deleteOne = (call: Call): Reply => {
  deleteAccount(call.engine, { login: needAccount(call).login })
  return DONE
}

const countAll = (call: Call): Reply => {
  let count = 0
  for (const account of listAccounts(call, { masks: ['*'] })) if (account !== null) count += 1
  return countReply(call, count)
}

const listDaily = (call: Call, list: Iterable<Account | null>): Rows => {
  const isInside = readWindow(call)
  return (function* () {
    for (const account of list) {
      if (account === null) yield null
      else yield* listDays(call.engine, account, isInside)
    }
  })()
}

const CALLS: readonly (readonly [path: string, right: number, run: (call: Call) => Reply])[] = [
  ['/api/user/get', ACCOUNTS, (call) => ({ retcode: 0, answer: shapeFor(call)(needAccount(call)) })],
  [
    '/api/user/get_batch',
    ACCOUNTS,
    (call) => ({ retcode: 0, rows: rows(listAccounts(call, readAsked(call)), shapeFor(call)) }),
  ],
  [
    '/api/user/logins',
    ACCOUNTS,
    (call) => ({ retcode: 0, rows: rows(listAccounts(call, readAsked(call)), ({ login }) => String(login)) }),
  ],
  ['/api/user/total', ACCOUNTS, countAll],
  ['/api/user/group', ACCOUNTS, (call) => ({ retcode: 0, answer: { group: needAccount(call).group } })],
  ['/api/user/account/get', ACCOUNTS, getState],
  ['/api/user/account/get_batch', ACCOUNTS, batchStates],
  ['/api/user/add', MODIFY, addUser],
  ['/api/user/update', MODIFY, updateUser],
  ['/api/user/delete', DELETE, deleteOne],
  ['/api/user/change_password', MODIFY, changePassword],
  ['/api/user/check_password', MODIFY, checkPassword],
  ['/api/user/check_balance', ACCOUNTANT, checkBalance],
  ['/api/user/archive/add', MODIFY, archiveOne],
  [
    '/api/user/archive/get',
    ACCOUNTS,
    (call) => ({ retcode: 0, answer: shapeFor(call)(needAccount(call, inArchive(call))) }),
  ],
  [
    '/api/user/archive/get_batch',
    ACCOUNTS,
    (call) => ({ retcode: 0, rows: rows(listAccounts(call, readAsked(call), inArchive(call)), shapeFor(call)) }),
  ],
  ['/api/user/restore', MODIFY, restoreOne],
  ['/api/trade/balance', ACCOUNTANT, book],
  ['/api/daily/get_light', ACCOUNTS, (call) => ({ retcode: 0, rows: listDaily(call, [needAccount(call)]) })],
  [
    '/api/daily/get_light_batch',
    ACCOUNTS,
    (call) => ({ retcode: 0, rows: listDaily(call, listAccounts(call, readAsked(call))) }),
  ],
]

/** The calls about logins and their money. */
export const USERS = Object.fromEntries(
  CALLS.map(([path, right, run]): [string, (call: Call) => Reply] => [
    path,
    (call) => {
      needRight(call, right)
      return run(call)
    },
  ]),
)
