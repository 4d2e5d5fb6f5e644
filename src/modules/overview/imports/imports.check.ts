import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { formatAmount } from '../../../platform/money.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { findByNumber } from '../../books/accounts/account-numbers.ts'
import { traderByAddress } from '../../clients/traders/merged.queries.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { findAffiliateByCode } from '../../growth/affiliates/attribution.ts'
import { listEarlier, MOST_OF_CLIENT, madeBefore, sameAccount, sameEmail } from './imports.duplicates.ts'
import { type Finding, keepFindings, nameLogin, nextLines } from './imports.lines.ts'
import { findFailure, NOTHING } from './imports.model.ts'
import { type Look, normalizeName, type Plan, planLine } from './imports.plan.ts'
import { keepProgress } from './imports.progress.ts'
import { importStates } from './imports.states.ts'
import { type ImportLineRow, type ImportRow, imports, type LineError, type Tally } from './imports.table.ts'

/** One step takes this many lines, in slices of a few milliseconds between which other requests run. */
const STEP = 400
const LOOK = 10

const wrong = (field: LineError['field'], code: string, message: string): LineError => ({ field, code, message })

/** The client of a line: a new one, one made by an earlier file, or one that an earlier line will make. */
type About = { isFirst: boolean; knownAs: string | null }

/** Returns conflicts of a line's address with other clients and with other lines. */
function addressConflicts(db: Reader, row: ImportLineRow, { isFirst, knownAs }: About): LineError[] {
  const { emailKey: email } = row
  if (!isFirst || email === null) return []
  // an existing client keeps their address, so another address means that the file's id is another person's
  if (knownAs !== null)
    return traderByAddress(db, email)?.id === knownAs
      ? []
      : [wrong('email', 'differs', say('imports.line.other_email'))]
  const twin = sameEmail(db, row)
  if (twin !== null) return [wrong('email', 'repeated', say('imports.line.repeated', { line: twin }))]
  const isTaken = db.find(traders, { email }, { withDeleted: true }) ?? traderByAddress(db, email)
  return isTaken ? [wrong('email', 'duplicate', say('imports.line.email_taken'))] : []
}

function accountConflicts(db: Reader, row: ImportLineRow, plan: Plan, { knownAs }: About): LineError[] {
  const { platform, server = '', accountNumber } = row.cells
  if (platform === undefined || accountNumber === undefined) return []
  const twin = sameAccount(db, row)
  if (twin !== null) return [wrong('accountNumber', 'repeated', say('imports.line.repeated', { line: twin }))]
  const there = findByNumber(db, { platform, server, accountNumber })
  if (!there) return []
  if (knownAs === null || there.traderId !== knownAs)
    return [wrong('accountNumber', 'duplicate', say('imports.line.account_taken'))]
  const { currency = there.currency } = plan.account ?? {}
  if (currency === there.currency) return []
  return [wrong('currency', 'differs', say('imports.line.other_currency', { currency: there.currency }))]
}

/** Returns conflicts of a line with the first line about the same client. */
function differences(row: ImportLineRow, first: ReturnType<typeof listEarlier>[number]): LineError[] {
  const { line } = first
  if (first.status === 'refused') return [wrong('externalId', 'refused', say('imports.line.first_refused', { line }))]
  if (row.emailKey !== null && first.emailKey !== row.emailKey)
    return [wrong('email', 'differs', say('imports.line.differs', { line }))]
  // without ids only the address identifies a client, and a family may share an address
  if (row.cells.externalId !== undefined) return []
  const [name, before] = [normalizeName(row.cells), normalizeName(JSON.parse(first.cells))]
  const isOther = name !== '' && before !== '' && name !== before
  return isOther ? [wrong('name', 'differs', say('imports.line.differs', { line }))] : []
}

type Given = Omit<Look, 'isFirst'>
type Before = ReturnType<typeof madeBefore>

/**
 * Returns conflicts with earlier files: the client was deleted since, or the opening balance is another one. The former
 * balance is that of the line that posted it; other lines only found it, and it may have been taken back since.
 */
function pastConflicts(made: Before, about: About, balance: Plan['balance'], opened: Before[number] | undefined) {
  const errors: LineError[] = []
  if (about.isFirst && about.knownAs === null && made.some(({ posted }) => posted === 'here'))
    errors.push(wrong('externalId', 'deleted', say('imports.line.deleted')))
  const amount = BigInt(opened?.balance ?? 0)
  if (balance && opened && amount !== balance.amount)
    errors.push(
      wrong(
        'balance',
        'differs',
        say('imports.line.other_balance', { amount: formatAmount(amount, balance.currency) }),
      ),
    )
  return errors
}

/**
 * Returns whether two lines of a client are about the same balance: they have the same currency, and do not name two
 * account numbers. Platform and server do not count, since another file may name them differently, and no money must be
 * posted twice.
 */
function sameBalance(
  { accountKey }: ImportLineRow,
  other: { accountKey: string | null; currency: string | null },
  currency: string,
): boolean {
  if (other.currency !== currency) return false
  const toNumber = (key: string): string | undefined => key.split('\n').at(-1)
  return accountKey === null || other.accountKey === null || toNumber(accountKey) === toNumber(other.accountKey)
}

/** Returns the line of an earlier file that posted this line's balance. */
const findOpened = (made: Before, row: ImportLineRow, currency: string): Before[number] | undefined =>
  made.find((one) => one.posted === 'here' && sameBalance(row, one, currency))

function checkLine(db: Reader, row: ImportLineRow, look: Given, recent: ReadonlyMap<number, Finding>): Finding {
  const earlier = listEarlier(db, row).map((one) => ({ ...one, ...recent.get(one.line) }))
  const [first] = earlier
  const made = madeBefore(db, row)
  const knownAs = made.find(({ deletedAt }) => deletedAt === null)?.traderId ?? null
  const about: About = { isFirst: first === undefined, knownAs }
  const plan = planLine(row.cells, { ...look, isFirst: about.isFirst })
  const { balance } = plan
  const opened = balance ? findOpened(made, row, balance.currency) : undefined
  const errors = [...plan.errors]
  if (row.externalId === '') errors.push(wrong('externalId', 'required', say('imports.line.who')))
  if (earlier.length >= MOST_OF_CLIENT)
    errors.push(wrong('externalId', 'too_many', say('imports.line.too_many', { most: MOST_OF_CLIENT })))
  else {
    if (first) errors.push(...differences(row, first))
    errors.push(...addressConflicts(db, row, about), ...accountConflicts(db, row, plan, about))
    const { affiliateCode } = row.cells
    if (about.isFirst && knownAs === null && affiliateCode && !findAffiliateByCode(db, affiliateCode))
      errors.push(wrong('affiliateCode', 'unknown', say('affiliates.field.code_unknown')))
    const twin = balance && earlier.find((one) => one.balance && sameBalance(row, one, balance.currency))
    if (twin) errors.push(wrong('balance', 'repeated', say('imports.line.repeated', { line: twin.line })))
    errors.push(...pastConflicts(made, about, balance, opened))
  }
  return {
    line: row.line,
    errors: nameLogin(row, look.reading, errors.length > 0 ? errors : plan.notes),
    traderId: knownAs,
    posted: opened ? 'earlier' : 'no',
    currency: balance?.currency ?? null,
    balance: balance?.amount ?? null,
    status: errors.length > 0 ? 'refused' : 'ready',
  }
}

/** Returns the sums of money with those of some more lines. */
function tallied(before: Readonly<Record<string, Tally>>, findings: readonly Finding[]): Record<string, Tally> {
  const tallies = { ...before }
  for (const { currency, balance, status, posted } of findings) {
    if (currency === null || balance === null) continue
    const tally = tallies[currency] ?? NOTHING
    const plus = (text: string, does: boolean): string => (does ? (BigInt(text) + balance).toString() : text)
    const isRefused = status === 'refused'
    tallies[currency] = {
      ...tally,
      rows: tally.rows + 1,
      inFile: plus(tally.inFile, true),
      refused: plus(tally.refused, isRefused),
      known: plus(tally.known, posted === 'earlier' && !isRefused),
    }
  }
  return tallies
}

/** Decides how a file continues that was checked completely. */
function endCheck(ctx: Ctx, id: string): Promise<null> {
  return ctx.write('import.checked', (tx) => {
    const row = tx.get(imports, id)
    if (row.status !== 'checking') return null
    const failure = findFailure(row)
    // a dry run's figures show what would stop the import
    const next = row.dryRun ? 'checked' : failure === null ? 'loading' : 'failed'
    const finishedAt = next === 'loading' ? null : tx.now
    tx.transition(imports, id, importStates, next, { failure, finishedAt, cursor: next === 'loading' ? 0 : row.cursor })
    return null
  })
}

/** Checks the next lines of a file against the rules, the books and each other, and stores the findings. */
export async function checkStep(ctx: Ctx, row: ImportRow): Promise<void> {
  const lines = nextLines(ctx.db, row.id, 'waiting', row.cursor, STEP)
  const last = lines.at(-1)
  if (!last) return void (await endCheck(ctx, row.id))
  const look = { now: ctx.now(), platforms: readFirmSettings(ctx.db).platforms, reading: row.reading }
  const findings: Finding[] = []
  // a line is compared with earlier ones, the last of which are stored only at the end of this step
  const recent = new Map<number, Finding>()
  for (const [index, line] of lines.entries()) {
    if (index > 0 && index % LOOK === 0) await Bun.sleep(0)
    const finding = checkLine(ctx.db, line, look, recent)
    findings.push(finding)
    recent.set(line.line, finding)
  }
  await ctx.write('import.check', (tx) => {
    const now = tx.get(imports, row.id)
    if (now.status !== 'checking' || now.cursor !== row.cursor) return
    keepFindings(tx, row.id, findings)
    const refused = findings.filter(({ status }) => status === 'refused').length
    keepProgress(tx, row.id, { cursor: last.line, tallies: tallied(now.tallies, findings), refused })
  })
}
