import { sumByCurrency } from '../../lib/text/decimal.ts'
import { groupInSentence } from '../../lib/text/format.ts'
import { Money } from '../show/money.tsx'

/** A remark about a row that the reader should see before deciding. */
export type Flag = { text: string; tone: 'good' | 'wait' | 'bad' }

export type ReviewedRow = { id: string; name: string; flag: Flag; amount: string; currency: string }

/** Shows what is about to be decided: the sum of each currency, then each row with its remarks. */
export const BulkReview = ({ label, rows }: { label: string; rows: readonly ReviewedRow[] }) => (
  // This box gets the focus, so that a hasty Enter after the key that opened the dialog neither acts nor closes it.
  <div className="bulk-focus" tabIndex={-1} data-autofocus>
    <div className="bulk-sums">
      {sumByCurrency(rows).map(([currency, sum]) => (
        <Money key={currency} amount={sum} currency={currency} fw={600} />
      ))}
    </div>
    <ReviewedRows label={label} rows={rows} />
  </div>
)

export const ReviewedRows = ({ label, rows }: { label: string; rows: readonly ReviewedRow[] }) => (
  <ul className="rows bulk-rows" aria-label={label}>
    {rows.map(({ id, name, flag, amount, currency }) => (
      <li key={id} className="row">
        <div className="row-main">
          <div className="ellipsis">{name}</div>
          <div className="bulk-flag" data-tone={flag.tone}>
            {groupInSentence(flag.text)}
          </div>
        </div>
        <div className="row-side">
          <Money amount={amount} currency={currency} />
        </div>
      </li>
    ))}
  </ul>
)
