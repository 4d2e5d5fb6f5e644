import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, findStaffId } from '../../../platform/access/principal.ts'
import { SECOND, toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import {
  MAX_NUMBER_DIGITS,
  numberText,
  plainDecimal,
  significantDigits,
} from '../../../platform/http/body/exact-numbers.ts'
import { formatAmount, MoneyError, parseRate } from '../../../platform/money.ts'
import { invalid, Problem } from '../../../platform/problem.ts'
import { knownCurrency, parseAmountField } from '../../../platform/wire/fields.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { mailOwners } from '../../firm/users/users.notices.ts'
import { findConfirmer, judge, type Verdict } from './fx.confirmation.ts'
import { createPastPrices } from './fx.history.ts'
import { createRates, currentRates, frozenQuote, ratioText, waitingRates } from './fx.lookup.ts'
import type { ConversionOut, ConvertQuery, GlobalRateIn, Rate, RatesOut, RatesQuery, UpsertIn } from './fx.model.ts'
import { pastRates, setPastRate } from './fx.past-rates.ts'
import { applyQuote, quoteForClient, quoteForStaff, type StoredRate } from './fx.quotes.ts'
import { fxRates, type PastRateRow, fxGlobalRates as pool } from './fx.table.ts'

const ageInSeconds = (createdAt: number, now: number): number => Math.max(0, Math.floor((now - createdAt) / SECOND))

const toRate = ({ createdAt, createdBy: _, proposedBy: __, ...row }: StoredRate, now: number): Rate => ({
  ...row,
  asOf: toIso(createdAt),
  ageSeconds: ageInSeconds(createdAt, now),
  since: null,
  unconfirmed: false,
  confirmation: null,
})

function toWaiting(db: Reader, row: StoredRate, now: number): Rate {
  const { by, from } = findConfirmer(db, row, now)
  return { ...toRate(row, now), unconfirmed: true, confirmation: { by, from: toIso(from) } }
}

const toPast = ({ base, quote, rate, source, id, since, createdAt }: PastRateRow, now: number): Rate => ({
  ...toRate({ base, quote, rate, source, id, createdAt, pool: 'tenant', createdBy: null, proposedBy: null }, now),
  since,
})

const setsPool = ({ principal }: Ctx): boolean => {
  const role = findRole(principal)
  return role !== null && atLeast(role, 'platform_admin')
}

/**
 * Lists the rates in use (the firm's before the pool's) with source and age, then those that wait for a second person;
 * `past` lists rates for past days instead. RULES “FX”.
 */
export function listRates(ctx: Ctx, { past = false }: Static<typeof RatesQuery> = {}): Static<typeof RatesOut> {
  const now = ctx.now()
  if (past) return { data: pastRates(ctx.db).map((row) => toPast(row, now)), nextCursor: null }
  const waiting = waitingRates(ctx.db).filter(({ pool }) => pool === 'tenant' || setsPool(ctx))
  return {
    data: [
      ...currentRates(ctx.db).map((row) => toRate(row, now)),
      ...waiting.map((row) => toWaiting(ctx.db, row, now)),
    ],
    nextCursor: null,
  }
}

/** Returns a rate as a plain decimal. For a JSON number it has the digits of the body, not those of the double. */
function readRateDecimal(path: string, holder: { rate: number | string }): string {
  const { rate } = holder
  let text = String(rate)
  if (typeof rate === 'number') {
    const written = numberText(holder, 'rate') ?? text
    if (significantDigits(written) > MAX_NUMBER_DIGITS)
      throw invalid(path, 'too_many_digits', say('fx.field.rate_too_precise', { maxNumberDigits: MAX_NUMBER_DIGITS }))
    text = plainDecimal(written)
  }
  try {
    parseRate(text)
  } catch (error) {
    if (error instanceof MoneyError) throw invalid(path, error.code, error.message)
    throw error
  }
  return text
}

/** A firm has at most this many rates in use and waiting, since one list shows them all. */
const MOST_RATES = 5000
const MOST_WAITING = 1000
const KEPT = statement(
  sql`SELECT count(*) FILTER (WHERE ${bare(fxRates.unconfirmed)} = 0) AS held,
    count(*) FILTER (WHERE ${bare(fxRates.unconfirmed)} = 1) AS waiting
  FROM ${fxRates} INDEXED BY fx_rates_current WHERE ${fxRates.tenantId} = ?1 AND ${fxRates.current} = 1`,
)
const keptBy = (tx: Tx): { held: number; waiting: number } =>
  tx.query<{ held: number; waiting: number }>(KEPT)[0] ?? { held: 0, waiting: 0 }

type NewRate = { base: string; quote: string; rate: string; source: string }
type GivenRate = NewRate & { since: string | undefined; at: string }

/** Checks the input of an upsert. Errors name the field as `rates.0.base`, or as `base` if the body is one rate. */
function readRates({ rates, global }: Static<typeof UpsertIn>, single: boolean): GivenRate[] {
  const seen = new Set<string>()
  return rates.map((given, index) => {
    const { base, quote, source, since } = given
    const at = single ? '' : `rates.${index}.`
    knownCurrency(`${at}base`, base)
    knownCurrency(`${at}quote`, quote)
    if (base === quote) throw invalid(`${at}quote`, 'same', say('fx.field.quote_same'))
    const key = `${base}/${quote} ${since ?? ''}`
    if (seen.has(key)) throw invalid(`${at}quote`, 'repeated', say('fx.field.pair_repeated'))
    seen.add(key)
    if (global && since !== undefined) throw invalid(`${at}since`, 'not_allowed', say('fx.field.not_of_pool'))
    return { base, quote, rate: readRateDecimal(`${at}rate`, given), source: source ?? 'manual', since, at }
  })
}

/**
 * Sets rates of the firm, or of the pool (platform_admin); old rates stay as history. `single` means that the body was
 * one rate. A rate far from that of 24 hours ago is stored, but not used until a second person sends it too; owners get
 * a mail. A rate with `since` is for past days. RULES “FX”.
 */
export function upsertRates(
  ctx: Ctx,
  input: Static<typeof UpsertIn>,
  { single = false }: { single?: boolean } = {},
): Promise<Static<typeof RatesOut>> {
  if (input.global && !setsPool(ctx)) {
    throw new Problem(403, 'forbidden', say('fx.error.global_pool'))
  }
  const rates = readRates(input, single)
  const pool = input.global ? 'global' : 'tenant'
  return ctx.writeSteps(input.global ? 'fx.upsert_global' : 'fx.upsert', function* (tx) {
    const waiting: StoredRate[] = []
    const past = createPastPrices(tx, pool, tx.now)
    const had = keptBy(tx)
    const set = ({ since, at, ...rate }: GivenRate) => {
      if (since !== undefined) return toPast(setPastRate(tx, ctx, { ...rate, since }, `${at}since`), tx.now)
      const verdict = judge(tx, ctx, rate, { pool, past, force: input.force === true })
      if (verdict.kind === 'known') return toWaiting(tx, verdict.rate, tx.now)
      const row = pool === 'global' ? setGlobal(tx, ctx, rate, verdict) : setOwn(tx, ctx, rate, verdict)
      if (verdict.kind === 'holds') {
        past.add(row)
        return toRate(row, tx.now)
      }
      waiting.push(row)
      return toWaiting(tx, row, tx.now)
    }
    const data: ReturnType<typeof set>[] = []
    for (const rate of rates) {
      data.push(set(rate))
      yield
    }
    const has = keptBy(tx)
    if (has.held > Math.max(MOST_RATES, had.held) || has.waiting > Math.max(MOST_WAITING, had.waiting))
      throw invalid(
        'rates',
        'too_many',
        say('fx.field.rates_too_many', { mostRates: MOST_RATES, mostWaiting: MOST_WAITING }),
      )
    if (waiting.length > 0) mailOwners(tx, ctx, () => buildMail(waiting))
    return { data, nextCursor: null }
  })
}

/** Sets one rate of the pool, like the upsert with `global`. */
export const setPoolRate = (ctx: Ctx, body: Static<typeof GlobalRateIn>): Promise<Static<typeof RatesOut>> =>
  upsertRates(ctx, { rates: [body], global: true, force: body.force === true }, { single: true })

function buildMail(rates: readonly StoredRate[]): { subject: string; text: string } {
  const lines = rates.map(({ base, quote, rate, source }) => `- ${base}/${quote} ${rate} (${source})`)
  return {
    subject: say('fx.mail.unconfirmed.subject'),
    text: [
      say('fx.mail.unconfirmed.intro'),
      ...lines,
      '',
      say('fx.mail.unconfirmed.meaning'),
      say('fx.mail.unconfirmed.advice'),
    ].join('\n'),
  }
}

type Decided = Exclude<Verdict, { kind: 'known' }>

const pickAction = (verdict: Decided): 'upsert' | 'confirm' | 'propose' =>
  verdict.kind === 'waits' ? 'propose' : verdict.proposedBy === null ? 'upsert' : 'confirm'

function setOwn(tx: Tx, ctx: Ctx, rate: NewRate, verdict: Decided): StoredRate {
  const { base, quote } = rate
  const unconfirmed = verdict.kind === 'waits'
  const proposedBy = verdict.kind === 'holds' ? verdict.proposedBy : null
  // an applied rate ends the former one and those that wait; a waiting rate ends only other waiting ones
  for (const before of tx.list(fxRates, { base, quote, current: true, ...(unconfirmed && { unconfirmed }) }))
    tx.update(fxRates, before.id, { current: false, endedAt: tx.now }, { action: 'fx.supersede' })
  const values = { ...rate, unconfirmed, proposedBy, createdBy: findStaffId(ctx.principal) }
  const { id, createdAt, createdBy } = tx.insert(fxRates, values, `fx.${pickAction(verdict)}`)
  return { ...rate, id, createdBy, proposedBy, createdAt, pool: 'tenant' }
}

// the pool belongs to no firm: the change is audited in the administrator's firm, which `?1` names
const SUPERSEDE = statement(
  sql`UPDATE ${pool} SET ${bare(pool.current)} = 0, ${bare(pool.endedAt)} = ?5
  WHERE ?1 <> '' AND ${pool.base} = ?2 AND ${pool.quote} = ?3 AND ${pool.current} = 1 AND ${pool.unconfirmed} >= ?4`,
)
const INSERT = `INSERT INTO fx_global_rates (id, base, quote, rate, source, created_by, created_at, unconfirmed, proposed_by)
  SELECT ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE ?1 <> ''`

function setGlobal(tx: Tx, ctx: Ctx, rate: NewRate, verdict: Decided): StoredRate {
  const id = ctx.ids.next('fxg')
  const waits = verdict.kind === 'waits' ? 1 : 0
  tx.execute(SUPERSEDE, [rate.base, rate.quote, waits, tx.now])
  const createdBy = findStaffId(ctx.principal)
  const proposedBy = verdict.kind === 'holds' ? verdict.proposedBy : null
  tx.execute(INSERT, [id, rate.base, rate.quote, rate.rate, rate.source, createdBy, tx.now, waits, proposedBy])
  tx.audit({
    action: `fx.${pickAction(verdict)}_global`,
    entity: 'fx_global_rate',
    entityId: id,
    after: waits === 1 ? { ...rate, unconfirmed: true } : proposedBy === null ? rate : { ...rate, proposedBy },
  })
  return { ...rate, id, createdBy, proposedBy, createdAt: tx.now, pool: 'global' }
}

/**
 * Converts an amount at the price for staff, or for the client, without moving money; answers the rate, its source and
 * its age. 422 `fx_rate_missing` without a rate.
 */
export function convertAmount(
  ctx: Ctx,
  { amount, base, quote, for: who }: Static<typeof ConvertQuery>,
): Static<typeof ConversionOut> {
  knownCurrency('query.base', base)
  knownCurrency('query.quote', quote)
  const minor = parseAmountField('query.amount', amount, base)
  const rates = createRates(ctx.db)
  const found =
    who === 'client'
      ? quoteForClient(rates, base, quote, readFirmSettings(ctx.db).conversion, ctx.now())
      : quoteForStaff(rates, base, quote)
  const { rateIds, rateSource, rateAsOf } = frozenQuote(found)
  return {
    amount: formatAmount(minor, base),
    base,
    quote,
    result: formatAmount(applyQuote(minor, base, quote, found, 'down'), quote),
    rate: ratioText(found.ratio),
    via: found.via,
    pool: found.rates.length === 0 ? null : found.rates.every(({ pool }) => pool === 'tenant') ? 'tenant' : 'global',
    source: rateSource,
    rateIds,
    asOf: rateAsOf === null ? null : toIso(rateAsOf),
    ageSeconds: rateAsOf === null ? null : ageInSeconds(rateAsOf, ctx.now()),
  }
}
