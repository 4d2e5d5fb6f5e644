import type { Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { validationProblem } from '../../../platform/http/body/validation.ts'
import { getScale, isCurrency, MoneyError, parseAmount } from '../../../platform/money.ts'
import { Problem } from '../../../platform/problem.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import { say } from '../../../words/say.ts'
import { AccountIn } from '../../books/accounts/accounts.model.ts'
import { ServerName } from '../../books/accounts/accounts.table.ts'
import { TraderIn } from '../../clients/traders/traders.model.ts'
import { checkProfile } from '../../clients/traders/traders.service.ts'
import { nameParts, readCountry, readDay, readDecimal, yesOrNo } from './imports.cell-values.ts'
import { type Cells, IMPORT_FIELDS, type ImportField } from './imports.fields.ts'
import type { LineError } from './imports.table.ts'

type TraderInput = Static<typeof TraderIn>
type AccountPlan = {
  platform: string
  server: string
  accountNumber: string
  currency: string
  leverage?: number
  isDemo: boolean
}

/** The contents of one line, and its mistakes. */
export type Plan = {
  /** Null if an earlier line makes the client. */
  trader: TraderInput | null
  account: AccountPlan | null
  balance: { currency: string; amount: bigint } | null
  errors: LineError[]
}

const shape = TypeCompiler.Compile(TraderIn)
const numberShape = TypeCompiler.Compile(AccountIn.properties.accountNumber)
const serverShape = TypeCompiler.Compile(ServerName)
const LEVERAGE = { min: 1, max: 10_000 }

/** Returns the client's id in the other system, or the address if the file has no ids. */
export const toExternalId = ({ externalId, email }: Cells): string => externalId ?? (email ? foldEmail(email) : '')

/** Returns the field of a file from which a field of a client came. */
function findField(path: string, cells: Cells): ImportField | null {
  const key = path.replace(/^address\./, '').replace(/\..*$/, '')
  if ((key === 'firstName' || key === 'lastName') && cells[key] === undefined) return 'name'
  return IMPORT_FIELDS.find((field) => field === key) ?? null
}

const wrong = (field: ImportField | null, code: string, message: string): LineError => ({ field, code, message })
/** Returns a mistake in the data of a client, as a sentence for the owner of the file. */
const asLine = (path: string, code: string, message: string, cells: Cells): LineError => {
  const field = findField(path, cells)
  if (field === 'country') return wrong(field, code, say('imports.line.country'))
  return wrong(field, code, field === 'dateOfBirth' && code === 'invalid' ? say('imports.line.date') : message)
}

function toProfile(cells: Cells): Record<string, unknown> {
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
    country: country && readCountry(country),
    language: language?.replace(/^[A-Z]{2}$/, (code) => code.toLowerCase()),
    dateOfBirth: dateOfBirth && readDay(dateOfBirth),
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
/** Replaces an invalid address, so that the rest of the line is checked in the same round. */
const ANY_ADDRESS = 'somebody@example.com'
const MOST_ROUNDS = 8

const without = (profile: Record<string, unknown>, faults: readonly Fault[]): Record<string, unknown> => {
  const wrongs = new Set(faults.map(({ path }) => path.replace(/[./].*$/, '')))
  return { email: ANY_ADDRESS, ...Object.fromEntries(Object.entries(profile).filter(([key]) => !wrongs.has(key))) }
}

/** Returns all faults that a schema does not find: wrong values are left out until none remains. */
function deeperFaults(profile: Record<string, unknown>, now: number): Fault[] {
  const faults: Fault[] = []
  for (let round = 0, rest = profile; round < MOST_ROUNDS && isTrader(rest); round++) {
    try {
      checkProfile(rest, now)
      break
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      faults.push(...error.errors)
      rest = without(rest, error.errors)
    }
  }
  return faults
}

/** Returns the client of a line, checked like a request for one; every mistake is named. */
function readTrader(cells: Cells, now: number, errors: LineError[]): TraderInput | null {
  const profile = toProfile(cells)
  const isWhole = isTrader(profile)
  const faults: Fault[] = isWhole ? [] : [...validationProblem('body', TraderIn, profile).errors]
  faults.push(...deeperFaults(isWhole ? profile : without(profile, faults), now))
  errors.push(...faults.map(({ path, code, message }) => asLine(path, code, message, cells)))
  return isWhole && faults.length === 0 ? profile : null
}

function readAccount(
  cells: Cells,
  currency: string,
  platforms: readonly string[],
  errors: LineError[],
): AccountPlan | null {
  const { accountNumber, leverage, isDemo, platform = '', server = '' } = cells
  if (accountNumber === undefined) return null
  const before = errors.length
  if (platform === '') errors.push(wrong('platform', 'required', say('imports.line.platform')))
  else if (!platforms.includes(platform))
    errors.push(wrong('platform', 'unknown', say('accounts.field.platform_unknown')))
  if (currency === '') errors.push(wrong('currency', 'required', say('imports.line.currency')))
  const times = leverage === undefined ? undefined : Number(leverage.replace(/^1\s*:\s*/, ''))
  if (times !== undefined && !(Number.isInteger(times) && times >= LEVERAGE.min && times <= LEVERAGE.max))
    errors.push(wrong('leverage', 'range', say('imports.line.leverage', LEVERAGE)))
  const demo = isDemo === undefined ? false : yesOrNo(isDemo)
  if (demo === undefined) errors.push(wrong('isDemo', 'format', say('imports.line.demo_format')))
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
    ...(times !== undefined && { leverage: times }),
  }
}

function readBalance(cells: Cells, currency: string, errors: LineError[]): Plan['balance'] {
  if (cells.balance === undefined) return null
  if (currency === '') {
    errors.push(wrong('currency', 'required', say('imports.line.currency')))
    return null
  }
  try {
    const amount = parseAmount(readDecimal(cells.balance, getScale(currency)), currency)
    if (amount < 0n) errors.push(wrong('balance', 'negative', say('imports.line.negative')))
    return amount > 0n ? { currency, amount } : null
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error
    const isMalformed = error.code === 'amount_malformed'
    errors.push(wrong('balance', error.code, isMalformed ? say('imports.line.amount') : error.message))
    return null
  }
}

/**
 * Returns the contents of a line. `isFirst` means that no earlier line is about this client; `platforms` are the
 * firm's.
 */
export function planLine(
  cells: Cells,
  { isFirst, now, platforms }: { isFirst: boolean; now: number; platforms: readonly string[] },
): Plan {
  const errors: LineError[] = []
  if (cells.surplus !== undefined) errors.push(wrong(null, 'columns', say('imports.line.surplus')))
  const trader = isFirst || cells.email !== undefined ? readTrader(cells, now, errors) : null
  const written = cells.currency?.toUpperCase() ?? ''
  const currency = isCurrency(written) ? written : ''
  if (written !== '' && currency === '')
    errors.push(wrong('currency', 'currency_unknown', say('problems.field.currency_unknown')))
  const needs = written === '' || currency !== ''
  const account = needs ? readAccount(cells, currency, platforms, errors) : null
  const balance = needs ? readBalance(cells, currency, errors) : null
  if (balance && account?.isDemo) errors.push(wrong('balance', 'demo', say('imports.line.demo')))
  const seen = new Set<string>()
  return {
    trader,
    account,
    balance,
    errors: errors.filter(({ field, code }) => {
      const key = `${field} ${code}`
      return !seen.has(key) && seen.add(key)
    }),
  }
}
