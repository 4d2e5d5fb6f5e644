import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { type Trader, TraderOut, toTrader, traderList } from './traders.model.ts'
import type { TraderRow } from './traders.table.ts'

/** What is of the record and not of the client: the file leaves it out. A new field of a client stands in the file. */
const LEFT_OUT = ['metadata', 'leadId', 'legalHold', 'mergedInto', 'version', 'updatedAt', 'deletedAt'] as const
/** Columns that the file begins with: who it is. */
const FIRST = ['id', 'createdAt', 'firstName', 'lastName'] as const
/** Parts of an address, each in a column of its own. */
const ADDRESS = ['street', 'city', 'postalCode'] as const

type Plain = Exclude<keyof Trader, (typeof LEFT_OUT | typeof FIRST)[number] | 'address'>
const apart: readonly string[] = [...LEFT_OUT, ...FIRST, 'address']
const isPlain = (key: string): key is Plain => key in TraderOut.properties && !apart.includes(key)

const COLUMNS = [
  ...FIRST,
  ...Object.keys(TraderOut.properties).flatMap((key) => (key === 'address' ? ADDRESS : isPlain(key) ? [key] : [])),
]

/** A client in one line: lists as words with commas between them, the address in columns of its own. */
const lineOf = (row: TraderRow) => {
  const { segments, tags, address, ...trader } = toTrader(row)
  const { street, city, postalCode } = address ?? {}
  return { ...trader, street, city, postalCode, segments: segments.join(', '), tags: tags.join(', ') }
}

/** Clients as a file. */
export const exportTraders = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, traderList, query, { entity: 'trader', form: lineOf, columns: COLUMNS })
