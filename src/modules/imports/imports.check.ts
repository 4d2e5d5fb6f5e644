import type { Ctx } from '../../platform/access/ctx.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { Problem } from '../../platform/http/problem.ts'
import { formatAmount } from '../../platform/money.ts'
import { say } from '../../words/say.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { affiliateOfCode } from '../affiliates/attribution.ts'
import { readFirmSettings } from '../firm-settings/firm-settings.ts'
import { refuseAlias } from '../traders/merged.queries.ts'
import { traders } from '../traders/traders.table.ts'
import {
  earlierOf,
  type Finding,
  keepFindings,
  keepProgress,
  madeBefore,
  nextLines,
  sameAccount,
  sameEmail,
} from './imports.lines.ts'
import { balancesOf, NOTHING } from './imports.model.ts'
import { type Plan, planOf } from './imports.plan.ts'
import { importStates } from './imports.states.ts'
import { type ImportLineRow, type ImportRow, imports, type LineError, type Tally } from './imports.table.ts'

/** Lines of one step, and of one look at them: a few milliseconds, so that others get their turn. */
const STEP = 400
const LOOK = 10

const wrong = (field: LineError['field'], code: string, message: string): LineError => ({ field, code, message })

/** What the books, other clients and other lines say against a line. */
function conflictsOf(db: Reader, row: ImportLineRow, plan: Plan, knownAs: string | null): LineError[] {
  const errors: LineError[] = []
  const { trader, account } = plan
  if (trader && knownAs === null) {
    const twin = sameEmail(db, row)
    if (twin !== null) errors.push(wrong('email', 'repeated', say('imports.line.repeated', { line: twin })))
    else if (db.find(traders, { email: trader.email }, { withDeleted: true }))
      errors.push(wrong('email', 'duplicate', say('imports.line.email_taken')))
    else {
      try {
        refuseAlias(db, trader.email, null)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        errors.push(wrong('email', 'duplicate', say('imports.line.email_taken')))
      }
    }
    if (trader.affiliateCode && !affiliateOfCode(db, trader.affiliateCode))
      errors.push(wrong('affiliateCode', 'unknown', say('affiliates.field.code_unknown')))
  }
  if (account) {
    const twin = sameAccount(db, row)
    if (twin !== null) errors.push(wrong('accountNumber', 'repeated', say('imports.line.repeated', { line: twin })))
    const { platform, accountNumber } = account
    const there = db.find(accounts, { platform, accountNumber })
    if (there && there.traderId !== knownAs)
      errors.push(wrong('accountNumber', 'duplicate', say('imports.line.account_taken')))
  }
  return errors
}

type Look = { now: number; platforms: readonly string[] }

/** What is to be made of one line. */
function findingOf(db: Reader, row: ImportLineRow, look: Look, recent: ReadonlyMap<number, Finding>): Finding {
  const [first, ...others] = earlierOf(db, row).map((one) => ({ ...one, ...recent.get(one.line) }))
  const made = madeBefore(db, row)
  const knownAs = made[0]?.traderId ?? null
  const plan = planOf(row.cells, { ...look, isFirst: first === undefined })
  const errors = [...plan.errors]
  if (row.externalId === '') errors.push(wrong('externalId', 'required', say('imports.line.who')))
  if (first?.status === 'refused')
    errors.push(wrong('externalId', 'refused', say('imports.line.first_refused', { line: first.line })))
  if (first && row.emailKey !== null && first.emailKey !== row.emailKey)
    errors.push(wrong('email', 'differs', say('imports.line.differs', { line: first.line })))
  if (errors.length === 0) errors.push(...conflictsOf(db, row, plan, first ? (knownAs ?? '') : knownAs))
  const { balance } = plan
  const twin = balance && [first, ...others].find((one) => one?.balance && one.currency === balance.currency)
  if (twin) errors.push(wrong('balance', 'repeated', say('imports.line.repeated', { line: twin.line })))
  const before = balance && made.find((one) => one.posted !== 'no' && one.currency === balance.currency)
  if (balance && before && BigInt(before.balance ?? 0) !== balance.amount)
    errors.push(
      wrong(
        'balance',
        'differs',
        say('imports.line.other_balance', { amount: formatAmount(BigInt(before.balance ?? 0), balance.currency) }),
      ),
    )
  return {
    ...{ line: row.line, errors, traderId: knownAs, posted: before ? 'earlier' : 'no' },
    ...{ currency: balance?.currency ?? null, balance: balance?.amount ?? null },
    status: errors.length > 0 ? 'refused' : 'ready',
  }
}

/** The money of some lines, added to that of the ones before them. */
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

/** Why a file that was read to its end is not imported; null where it is. */
function failureOf(row: ImportRow): string | null {
  if (row.refused > 0 && !row.skipErrors) return say('imports.failure.lines', { count: row.refused })
  const off = balancesOf(row).find(({ agrees }) => !agrees)
  if (!off) return null
  const { currency, control, inFile } = off
  // who only checks a file learns from it what the control total must be
  if (control === null && row.dryRun) return null
  if (control === null) return say('imports.failure.no_control', { currency, inFile })
  return say('imports.failure.totals', { currency, control, inFile, refused: off.refused })
}

/** How a file goes on that was read to its end. */
function endCheck(ctx: Ctx, id: string): Promise<null> {
  return ctx.write('import.checked', (tx) => {
    const row = tx.get(imports, id)
    if (row.status !== 'checking') return null
    const failure = failureOf(row)
    // a dry run tells by its figures what would stop it
    const next = row.dryRun ? 'checked' : failure === null ? 'loading' : 'failed'
    const finishedAt = next === 'loading' ? null : tx.now
    tx.transition(imports, id, importStates, next, { failure, finishedAt, cursor: next === 'loading' ? 0 : row.cursor })
    return null
  })
}

/** Checks the next lines of a file against the rules, the books and each other, and keeps what it found. */
export async function checkStep(ctx: Ctx, row: ImportRow): Promise<void> {
  const lines = nextLines(ctx.db, row.id, 'waiting', row.cursor, STEP)
  const last = lines.at(-1)
  if (!last) return void (await endCheck(ctx, row.id))
  const look = { now: ctx.now(), platforms: readFirmSettings(ctx.db).platforms }
  const findings: Finding[] = []
  // a line is compared with those before it, of which the last are written with this step
  const recent = new Map<number, Finding>()
  for (const [index, line] of lines.entries()) {
    if (index > 0 && index % LOOK === 0) await Bun.sleep(0)
    const finding = findingOf(ctx.db, line, look, recent)
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
