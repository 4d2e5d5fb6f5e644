import { type Static, Type } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { readApart, report } from '../../../platform/http/answers/report-in-child.ts'
import { decodeCursor, encodeCursor } from '../../../platform/http/lists/cursor.ts'
import { totalFields } from '../../../platform/http/lists/list-totals.ts'
import { DEFAULT_LIMIT } from '../../../platform/http/lists/page.ts'
import { Nullable } from '../../../platform/wire/fields.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { MissingRates } from './reporting.model.ts'
import { asFile, settingsFor } from './reporting.service.ts'
import { TAX_FILE_COLUMNS } from './tax.file.ts'
import { type TaxQuery, type TaxReport, TaxRow } from './tax.model.ts'
import { type Place, taxPeriod } from './tax.queries.ts'

const PlaceOut = Type.Object({ traderId: Type.String(), currency: Type.String() })
const Read = Type.Object({
  asOf: Type.String(),
  rows: Type.Array(TaxRow),
  next: Nullable(PlaceOut),
  missingRates: MissingRates,
  ...totalFields,
})

/** One child makes the text of this many rows, in half a gigabyte; each reads the whole period, so few are better. */
const AT_ONCE = 100_000
const Part = Type.Object({ text: Type.Uint8Array(), next: Nullable(PlaceOut) })

/**
 * Answers what each client paid in and took out in a period, by currency, from the books: a page of it, or all of it as
 * a file in parts. RULES “Reports”.
 */
export async function taxReport(ctx: Ctx, query: Static<typeof TaxQuery>): Promise<TaxReport | Response> {
  const { today, currency } = settingsFor(ctx, query.currency)
  const { timeZone } = readFirmSettings(ctx.db)
  const { traderId = null, limit, cursor } = query
  const period = taxPeriod(query, today)
  const params = { ...period, currency, traderId }
  if (query.format === 'csv') {
    const parts = async function* () {
      for (let after: Place | null = null; ; ) {
        const asked = { ...params, after, limit: AT_ONCE, now: ctx.now() }
        const part: Static<typeof Part> = await readApart(ctx, 'reports.tax-file', asked, Part)
        yield part.text
        after = part.next
        if (after === null) return
      }
    }
    return asFile(ctx, 'tax-report', { ...period, currency, traderId }, TAX_FILE_COLUMNS, parts())
  }
  const bound = `tax\n${ctx.tenantId}\n${JSON.stringify(params)}`
  const place = cursor === undefined ? null : decodeCursor(ctx.secrets, bound, cursor)
  const after = place && { traderId: place[1], currency: String(place[0]) }
  const asked = { ...params, after, limit: Number(limit ?? DEFAULT_LIMIT), count: query.count === 'true' }
  const { asOf, rows, next, ...found } = await report(ctx, 'reports.tax', asked, Read)
  return {
    ...period,
    timeZone,
    currency,
    asOf,
    data: rows,
    nextCursor: next && encodeCursor(ctx.secrets, bound, next.currency, next.traderId),
    ...found,
  }
}
