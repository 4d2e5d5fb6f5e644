import type { Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { readCountryName } from '../../../platform/country-names.ts'
import { validationProblem } from '../../../platform/http/body/validation.ts'
import { isCentCurrency, isCurrency, MoneyError, parseAmount } from '../../../platform/money.ts'
import { Problem } from '../../../platform/problem.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import { say } from '../../../words/say.ts'
import { AccountIn } from '../../books/accounts/accounts.model.ts'
import { Leverage, ServerName } from '../../books/accounts/accounts.table.ts'
import { BroughtTrader } from '../../clients/traders/traders.model.ts'
import { checkProfile } from '../../clients/traders/traders.service.ts'
import {
  currencyInGroup,
  isDemoGroup,
  nameParts,
  readDay,
  readDecimal,
  readLeverage,
  splitAmount,
  yesOrNo,
} from './imports.cell-values.ts'
import { type Cells, IMPORT_FIELDS, type ImportField, type Reading } from './imports.fields.ts'
import { KEPT, type LineError } from './imports.table.ts'

type TraderInput = Static<typeof BroughtTrader>
type AccountPlan = {
  platform: string
  server: string
  accountNumber: string
  currency: string
  leverage?: number
  isDemo: boolean
  metadata: Record<string, string>
}

/** What one line asks for, and its mistakes. */
export type Plan = {
  /** The client to make; null if an earlier line makes them. */
  trader: TraderInput | null
  account: AccountPlan | null
  balance: { currency: string; amount: bigint } | null
  errors: LineError[]
  /** Values that cannot be read, and are kept as text since nothing needs them. */
  notes: LineError[]
}

const shape = TypeCompiler.Compile(BroughtTrader)
const numberShape = TypeCompiler.Compile(AccountIn.properties.accountNumber)
const serverShape = TypeCompiler.Compile(ServerName)
const LEVERAGE = { min: Leverage.minimum ?? 1, max: Leverage.maximum ?? 1 }
/** A value that is kept as text is cut to this many characters. */
const LONGEST_KEPT = 500

/** Returns the whole name in a line, in the form in which names are compared. */
export const normalizeName = ({ name, firstName = '', lastName = '' }: Cells): string =>
  foldEmail(name ?? `${firstName} ${lastName}`)
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Returns the account in a line, in the form in which accounts are compared. */
export const buildTradingAccountKey = ({ platform = '', server = '', accountNumber }: Cells): string | null =>
  accountNumber === undefined ? null : `${platform}\n${server}\n${accountNumber}`

/**
 * Returns the client's id in the other system, or what stands for it: the address, else the phone with the name (since
 * a family may share a phone), else the account.
 */
export function toExternalId(cells: Cells): string {
  const { externalId, email, phone = '' } = cells
  if (externalId !== undefined) return externalId
  if (email !== undefined) return foldEmail(email)
  const digits = phone.replace(/\D/g, '')
  if (digits.length > 6) return `phone ${digits}\n${normalizeName(cells)}`
  const account = buildTradingAccountKey(cells)
  return account === null ? '' : `account ${account}`
}

const wrong = (field: ImportField | null, code: string, message: string): LineError => ({ field, code, message })

/** Returns the field of the file from which a field of the client came. */
function findField(path: string, cells: Cells): ImportField | null {
  const key = path.replace(/^address\./, '').replace(/\..*$/, '')
  if ((key === 'firstName' || key === 'lastName') && cells[key] === undefined) return 'name'
  return IMPORT_FIELDS.find((field) => field === key) ?? null
}

function toProfile(cells: Cells, reading: Reading): Record<string, unknown> {
  const { email, phone, country, language, dateOfBirth, source, affiliateCode, tags, name } = cells
  const { street, city, region, postalCode, firstName, lastName } = cells
  const address = { street, city, region, postalCode }
  const given = Object.fromEntries(Object.entries(address).filter(([, text]) => text !== undefined))
  const parts = name === undefined ? {} : nameParts(name)
  const profile = {
    email: email && foldEmail(email),
    phone,
    firstName: firstName ?? parts.firstName,
    lastName: lastName ?? parts.lastName,
    country: country && (readCountryName(country) ?? country),
    language: language?.replace(/^[A-Z]{2}$/, (code) => code.toLowerCase()),
    dateOfBirth: dateOfBirth && readDay(dateOfBirth, reading.dates),
    ...(Object.keys(given).length > 0 && { address: given }),
    tags: tags
      ?.split(/[;|,]/)
      .map((tag) => tag.trim())
      .filter(Boolean),
    source,
    affiliateCode,
  }
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined))
}

const isTrader = (value: unknown): value is TraderInput => shape.Check(value)

type Fault = { path: string; code: string; message: string }
/** A client cannot have more wrong fields than this that are found only one after the other. */
const MOST_ROUNDS = 20

/** Returns what is wrong with a client; wrong values may hide others, which the next round finds. */
function findFaults(profile: Record<string, unknown>, now: number): readonly Fault[] {
  if (!isTrader(profile)) return validationProblem('body', BroughtTrader, profile).errors
  try {
    checkProfile(profile, now)
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.errors
  }
}

const omit = (values: object, key: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name !== key))
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Returns a profile without the wrong field; of an address only the wrong part is left out. */
function without(profile: Record<string, unknown>, path: string): Record<string, unknown> {
  const [key = '', part = ''] = path.split(/[./]/)
  const { address } = profile
  return key === 'address' && isObject(address) && part in address
    ? { ...profile, address: omit(address, part) }
    : omit(profile, key)
}

/** A client is not refused for these fields: a value that cannot be read is kept as text. */
const NEEDLESS: readonly (ImportField | null)[] = [
  ...(['phone', 'country', 'language', 'dateOfBirth', 'street', 'city', 'region'] as const),
  ...(['postalCode', 'tags', 'source'] as const),
]

/** Returns the client of a line, checked like a request to create one; every mistake is named. */
function readTrader(cells: Cells, { now, reading }: Look, errors: LineError[], notes: LineError[]): TraderInput | null {
  const before = errors.length
  let profile = toProfile(cells, reading)
  if (profile.dateOfBirth === null) {
    errors.push(wrong('dateOfBirth', 'ambiguous', say('imports.line.date_order')))
    profile = omit(profile, 'dateOfBirth')
  }
  const metadata: Record<string, string> = {}
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const faults = findFaults(profile, now)
    if (faults.length === 0) break
    for (const { path, code, message } of faults) {
      profile = without(profile, path)
      const field = findField(path, cells)
      if (field === null || !NEEDLESS.includes(field)) errors.push(wrong(field, code, message))
      else if (metadata[field] === undefined) {
        metadata[field] = (cells[field] ?? '').slice(0, LONGEST_KEPT)
        notes.push(wrong(field, KEPT, say('imports.line.kept')))
      }
    }
  }
  const client = Object.keys(metadata).length > 0 ? { ...profile, metadata } : profile
  return errors.length === before && isTrader(client) ? client : null
}

function readAccount(
  cells: Cells,
  currency: string,
  { platforms }: Look,
  errors: LineError[],
  notes: LineError[],
): AccountPlan | null {
  const { accountNumber, leverage, isDemo, group = '', platform = '', server = '' } = cells
  if (accountNumber === undefined) return null
  const before = errors.length
  const metadata: Record<string, string> = {}
  if (platform === '') errors.push(wrong('platform', 'required', say('imports.line.platform')))
  else if (!platforms.includes(platform))
    errors.push(wrong('platform', 'unknown', say('accounts.field.platform_unknown')))
  if (currency === '') errors.push(wrong('currency', 'required', say('imports.line.currency')))
  const times = leverage === undefined ? undefined : readLeverage(leverage, LEVERAGE)
  if (leverage !== undefined && times === undefined) {
    metadata.leverage = leverage.slice(0, LONGEST_KEPT)
    notes.push(wrong('leverage', KEPT, say('imports.line.kept_account')))
  }
  const demo = isDemo === undefined ? isDemoGroup(group) : yesOrNo(isDemo)
  if (isDemo !== undefined && demo === undefined) {
    metadata.accountType = isDemo.slice(0, LONGEST_KEPT)
    if (/\bcents?\b/i.test(isDemo) && currency !== '' && !isCentCurrency(currency))
      errors.push(wrong('isDemo', 'differs', say('imports.line.cent')))
    else notes.push(wrong('isDemo', KEPT, say('imports.line.kept_type')))
  }
  if (accountNumber.length > 64) errors.push(wrong('accountNumber', 'too_long', say('imports.line.account_long')))
  else if (!numberShape.Check(accountNumber))
    errors.push(wrong('accountNumber', 'format', say('imports.line.account_form')))
  if (!serverShape.Check(server)) errors.push(wrong('server', 'format', say('imports.line.server_form')))
  if (errors.length > before) return null
  return {
    platform,
    server,
    accountNumber,
    currency,
    isDemo: demo ?? false,
    metadata,
    ...(times !== undefined && { leverage: times }),
  }
}

function readBalance(text: string, currency: string, { reading }: Look, errors: LineError[]): Plan['balance'] {
  if (currency === '') {
    errors.push(wrong('currency', 'required', say('imports.line.currency')))
    return null
  }
  try {
    // platforms write all currencies with two decimals, so zeros there are dropped; three zeros may be thousands
    const amount = parseAmount(readDecimal(text, reading.decimals).replace(/\.00?$/, ''), currency)
    if (amount < 0n) errors.push(wrong('balance', 'negative', say('imports.line.negative')))
    return amount > 0n ? { currency, amount } : null
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error
    const isMalformed = error.code === 'amount_malformed'
    errors.push(wrong('balance', error.code, isMalformed ? say('imports.line.amount') : error.message))
    return null
  }
}

/** What reading a line depends on: whether it is the first about its client, and the firm's platforms. */
export type Look = { isFirst: boolean; now: number; platforms: readonly string[]; reading: Reading }

/** Returns what a line asks for, and its mistakes. */
export function planLine(cells: Cells, look: Look): Plan {
  const errors: LineError[] = []
  const notes: LineError[] = []
  if (look.reading.terminal && cells.email === undefined)
    errors.push(wrong('email', 'required', say('imports.line.no_email')))
  if (cells.surplus !== undefined) errors.push(wrong(null, 'columns', say('imports.line.surplus')))
  const trader = look.isFirst || cells.email !== undefined ? readTrader(cells, look, errors, notes) : null
  const { amount, code } = splitAmount(cells.balance ?? '')
  const inGroup = cells.group === undefined ? undefined : currencyInGroup(cells.group)
  const written = cells.currency?.toUpperCase() ?? code ?? inGroup ?? look.reading.currency ?? ''
  const currency = isCurrency(written) ? written : ''
  if (written !== '' && currency === '')
    errors.push(wrong('currency', 'currency_unknown', say('problems.field.currency_unknown')))
  if (code !== undefined && code !== written)
    errors.push(wrong('balance', 'currency_differs', say('imports.line.amount_currency')))
  const needs = written === '' || currency !== ''
  const account = needs ? readAccount(cells, currency, look, errors, notes) : null
  const balance = needs && amount !== '' ? readBalance(amount, currency, look, errors) : null
  if (balance && account?.isDemo) errors.push(wrong('balance', 'demo', say('imports.line.demo')))
  const seen = new Set<string>()
  return {
    trader,
    account,
    balance,
    notes,
    errors: errors.filter(({ field, code }) => {
      const key = `${field} ${code}`
      return !seen.has(key) && seen.add(key)
    }),
  }
}
