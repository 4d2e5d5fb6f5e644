import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { formatAmount } from '../../../platform/money.ts'
import { addDays } from '../../../platform/zone.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { commissionRevenue, SOURCE_TYPES, type SourceType } from './commission-revenue.ts'
import { readEarnings } from './earnings.queries.ts'
import { addConverted, amountOut, createConversion } from './reporting.conversion.ts'
import { listDays, periodBefore, readPeriod } from './reporting.period.ts'
import type { Revenue } from './revenue.model.ts'

const MOST_DAYS = 5 * 366
/** Returns the days of the report, by default the last thirty. */
export const revenuePeriod = (query: { from?: string; to?: string }, today: string) =>
  readPeriod(query, today, { usual: (to) => addDays(to, -30), most: MOST_DAYS })

export const RevenueParams = Type.Object({
  from: Type.String(),
  to: Type.String(),
  now: Type.Integer(),
  currency: Type.String(),
})

type Sum = { count: number; amount: bigint; converted: bigint | null }

/** Reads commission by source, each line at the rate of its own day. RULES “Reports”, “Commissions”. */
export function readRevenue(db: Reader, { from, to, now, currency }: Static<typeof RevenueParams>): Revenue {
  const { timeZone } = readFirmSettings(db)
  const conversion = createConversion(db, { currency, timeZone, now })
  const none = (): Sum => ({ count: 0, amount: 0n, converted: 0n })
  const total = none()
  const sources = new Map<SourceType, Sum>(SOURCE_TYPES.map((sourceType) => [sourceType, none()]))
  const rows = new Map<string, Sum & { sourceType: SourceType; currency: string }>()
  const days = new Map<string, Sum & { sourceType: SourceType; day: string }>()
  for (const one of commissionRevenue(db, listDays({ from, to }, timeZone))) {
    const { sourceType, day, currency: of, amount, count } = one
    const converted = conversion.convert(amount, of, day, count)
    const row = rows.get(`${sourceType} ${of}`) ?? { ...none(), sourceType, currency: of }
    const onDay = days.get(`${sourceType} ${day}`) ?? { ...none(), sourceType, day }
    rows.set(`${sourceType} ${of}`, row)
    days.set(`${sourceType} ${day}`, onDay)
    for (const sum of [total, sources.get(sourceType), row, onDay]) {
      if (!sum) continue
      sum.count += count
      sum.amount += amount * BigInt(count)
      sum.converted = addConverted(sum.converted, converted)
    }
  }
  const { earnings, charged } = readEarnings(db, { from, to }, { currency, timeZone, now })
  const { earnings: earnedBefore } = readEarnings(db, periodBefore({ from, to }), { currency, timeZone, now })
  const shown = ({ converted }: Sum) => amountOut(converted, currency)
  const place = (of: SourceType): number => SOURCE_TYPES.indexOf(of)
  return {
    from,
    to,
    timeZone,
    asOf: toIso(now),
    currency,
    total: shown(total),
    sources: [...sources].map(([sourceType, sum]) => ({ sourceType, count: sum.count, converted: shown(sum) })),
    data: [...rows.values()]
      .sort((a, b) => place(a.sourceType) - place(b.sourceType) || (a.currency < b.currency ? -1 : 1))
      .map((sum) => ({
        sourceType: sum.sourceType,
        currency: sum.currency,
        count: sum.count,
        amount: formatAmount(sum.amount, sum.currency),
        converted: shown(sum),
      })),
    days: [...days.values()]
      .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : place(a.sourceType) - place(b.sourceType)))
      .map((sum) => ({ day: sum.day, sourceType: sum.sourceType, converted: shown(sum) })),
    missingRates: conversion.takeMissing(),
    earned: earnings,
    earnedBefore,
    net: amountOut(charged === null || total.converted === null ? null : charged - total.converted, currency),
  }
}
