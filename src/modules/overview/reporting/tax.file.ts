import type { Static } from '@sinclair/typebox'
import type { Reader } from '../../../platform/db/reader.ts'
import { csvText } from '../../../platform/http/answers/csv.ts'
import { WithText } from '../../../platform/query-runner/task.ts'
import { TAX_COLUMNS } from './ledger-kinds.ts'
import type { MissingRate } from './reporting.model.ts'
import { readTax, type TaxParams } from './tax.queries.ts'

const COLUMNS = [
  ...(['traderId', 'name', 'country', 'currency', 'opening'] as const),
  ...TAX_COLUMNS,
  ...(['closing', 'depositsConverted', 'withdrawalsConverted'] as const),
] as const
export const TAX_FILE_COLUMNS = [...COLUMNS, 'convertedCurrency', 'missingRates'] as const

/** Text of letters, digits and single blanks needs no quoting, neither in a CSV file nor in a spreadsheet. */
const PLAIN = /^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*$/u

const missingText = (missing: readonly MissingRate[]): string =>
  missing.map(({ day, currency, amount }) => `${day} ${currency} ${amount}`).join('; ')

/** Returns the next rows of the tax report as text of the file, and the place to continue from. */
export function readTaxFile(db: Reader, params: Static<typeof TaxParams>): WithText {
  const { currency } = params
  const { rows, next } = readTax(db, params)
  const lines = rows.map((row) => {
    const cells = COLUMNS.map((column) => row[column])
    const missing = missingText(row.missingRates)
    // amounts, ids and codes need no quoting, but a name may
    const isPlain = row.name === null || PLAIN.test(row.name)
    return isPlain ? `${cells.join(',')},${currency},${missing}\n` : csvText([[...cells, currency, missing]])
  })
  return new WithText({ next }, lines.join(''))
}
