import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../platform/access/catalogue.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import { roleOf, staffIdOf } from '../../platform/access/principal.ts'
import { SECOND, toIso } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { amountOf, knownCurrency } from '../../platform/http/fields.ts'
import { invalid, notFound, Problem } from '../../platform/http/problem.ts'
import { formatAmount, MoneyError, parseRate } from '../../platform/money.ts'
import { applyQuote, currentRates, frozenQuote, ratioText, requireQuote, type StoredRate } from './fx.lookup.ts'
import type { ConversionOut, ConvertQuery, Rate, RatesOut, UpsertIn } from './fx.model.ts'
import { fxRates } from './fx.table.ts'

const ageOf = (createdAt: number, now: number): number => Math.max(0, Math.floor((now - createdAt) / SECOND))

const toRate = ({ createdAt, createdBy: _, ...row }: StoredRate, now: number): Rate => ({
  ...row,
  asOf: toIso(createdAt),
  ageSeconds: ageOf(createdAt, now),
})

/** The firm's rates over the global pool, with source and age. Interface §4. */
export const listRates = (ctx: Ctx): Static<typeof RatesOut> => ({
  data: currentRates(ctx.db).map((row) => toRate(row, ctx.now())),
  nextCursor: null,
})

/** A JSON number as the decimal its digits say: 1e-7 → 0.0000001. */
function decimalOf(path: string, rate: number | string): string {
  let text = String(rate)
  const [, digits = '', fraction = '', exponent] = /^(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  if (exponent !== undefined) {
    const shift = Number(exponent)
    const all = digits + fraction
    const point = digits.length + shift
    text =
      point <= 0
        ? `0.${'0'.repeat(-point)}${all}`
        : `${all.padEnd(point, '0').slice(0, point)}${all.length > point ? `.${all.slice(point)}` : ''}`
  }
  try {
    parseRate(text)
  } catch (error) {
    if (error instanceof MoneyError) throw invalid(path, error.code, error.message)
    throw error
  }
  return text
}

type NewRate = { base: string; quote: string; rate: string; source: string }

/** Checked input of an upsert; errors name the rate by its place: `rates.0.base`, or `base` where it is the whole body. */
function readRates({ rates }: Static<typeof UpsertIn>, single: boolean): NewRate[] {
  const seen = new Set<string>()
  return rates.map(({ base, quote, rate, source }, index) => {
    const at = single ? '' : `rates.${index}.`
    knownCurrency(`${at}base`, base)
    knownCurrency(`${at}quote`, quote)
    if (base === quote) throw invalid(`${at}quote`, 'same', 'must be another currency than base')
    if (seen.has(`${base}/${quote}`)) throw invalid(`${at}quote`, 'repeated', 'this pair is given more than once')
    seen.add(`${base}/${quote}`)
    return { base, quote, rate: decimalOf(`${at}rate`, rate), source: source ?? 'manual' }
  })
}

/** Sets rates of the firm, or of the global pool (platform_admin). Old rates stay as history; `single`: the body was one rate. rules.md “FX”. */
export function upsertRates(
  ctx: Ctx,
  input: Static<typeof UpsertIn>,
  { single = false }: { single?: boolean } = {},
): Promise<Static<typeof RatesOut>> {
  const role = roleOf(ctx.principal)
  if (input.global && !(role && atLeast(role, 'platform_admin'))) {
    throw new Problem(403, 'forbidden', 'The global pool is for the platform administrator.')
  }
  const rates = readRates(input, single)
  return ctx.write(input.global ? 'fx.upsert_global' : 'fx.upsert', (tx) => ({
    data: rates.map((rate) => toRate(input.global ? setGlobal(tx, ctx, rate) : setOwn(tx, ctx, rate), tx.now)),
    nextCursor: null,
  }))
}

function setOwn(tx: Tx, ctx: Ctx, rate: NewRate): StoredRate {
  const before = tx.find(fxRates, { base: rate.base, quote: rate.quote, current: true })
  if (before) tx.update(fxRates, before.id, { current: false }, { action: 'fx.supersede' })
  const { id, createdAt, createdBy } = tx.insert(fxRates, { ...rate, createdBy: staffIdOf(ctx.principal) })
  return { ...rate, id, createdBy, createdAt, pool: 'tenant' }
}

// The pool belongs to no tenant: the change is audited in the firm of the administrator who made it. `?1` names that firm only.
const SUPERSEDE = `UPDATE fx_global_rates SET current = 0 WHERE ?1 <> '' AND base = ?2 AND quote = ?3 AND current = 1`
const INSERT = `INSERT INTO fx_global_rates (id, base, quote, rate, source, created_by, created_at) SELECT ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE ?1 <> ''`

function setGlobal(tx: Tx, ctx: Ctx, rate: NewRate): StoredRate {
  const id = ctx.platform.ids.next('fxg')
  tx.execute(SUPERSEDE, [rate.base, rate.quote])
  const createdBy = staffIdOf(ctx.principal)
  tx.execute(INSERT, [id, rate.base, rate.quote, rate.rate, rate.source, createdBy, tx.now])
  tx.audit({ entity: 'fx_global_rate', entityId: id, after: rate })
  return { ...rate, id, createdBy, createdAt: tx.now, pool: 'global' }
}

/** Removes a rate of the firm; the global one, if any, holds again. A rate of the global pool is nobody's to remove here: 404. */
export function removeRate(ctx: Ctx, id: string): Promise<null> {
  return ctx.write('fx.remove', (tx) => {
    if (!tx.get(fxRates, id).current) throw notFound()
    tx.update(fxRates, id, { current: false })
    return null
  })
}

/** Converts an amount and says with which rate, from where, how old. 422 `fx_rate_missing` when none leads there. */
export function convertAmount(
  ctx: Ctx,
  { amount, base, quote }: Static<typeof ConvertQuery>,
): Static<typeof ConversionOut> {
  knownCurrency('query.base', base)
  knownCurrency('query.quote', quote)
  const minor = amountOf('query.amount', amount, base)
  const found = requireQuote(ctx.db, base, quote)
  const { rateIds, rateSource, rateAsOf } = frozenQuote(found)
  return {
    amount: formatAmount(minor, base),
    base,
    quote,
    result: formatAmount(applyQuote(minor, base, quote, found), quote),
    rate: ratioText(found.ratio),
    via: found.via,
    pool: found.rates.length === 0 ? null : found.rates.every(({ pool }) => pool === 'tenant') ? 'tenant' : 'global',
    source: rateSource,
    rateIds,
    asOf: rateAsOf === null ? null : toIso(rateAsOf),
    ageSeconds: rateAsOf === null ? null : ageOf(rateAsOf, ctx.now()),
  }
}
