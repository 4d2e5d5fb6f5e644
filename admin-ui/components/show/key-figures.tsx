import { Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { HelpTerm } from '../../lib/screen/help.ts'
import { groupDigits } from '../../lib/text/format.ts'
import { say } from '../../lib/text/words.ts'
import { Money } from './money.tsx'
import { WhatIs } from './what-is.tsx'
import './figures.css'

/** One figure of a strip. */
export type KeyFigure = {
  label: string
  value: ReactNode
  /** A short note under it. */
  note?: ReactNode
  /** The tab of this page that has its rows. */
  tab?: string
  /** The word of the help that explains it. */
  term?: HelpTerm
  /** Whether somebody has to act on it. */
  isWaiting?: boolean
}

/** A row of the few numbers that describe a record's state. Each links to its rows. */
export const KeyFigures = ({ label, items }: { label: string; items: readonly KeyFigure[] }) => (
  <dl className="figure-strip" aria-label={label}>
    {items.map(({ label: name, value, note, tab, term, isWaiting }) => (
      <div key={name} className="figure" data-waiting={isWaiting || undefined}>
        <dt>
          {tab === undefined ? (
            name
          ) : (
            <Link to="." search={{ tab }} className="figure-link">
              {name}
            </Link>
          )}
          {term && <WhatIs term={term} label={name} />}
        </dt>
        <dd>
          {value}
          {note && <span className="figure-note">{note}</span>}
        </dd>
      </div>
    ))}
  </dl>
)

type Sum = { currency: string; amount: string }

/** This many currencies are shown; the rest is counted, and listed in a tooltip. */
const SHOWN = 2

/** Shows amounts in several currencies, which cannot be added up. */
export const Sums = ({ sums, none }: { sums: readonly Sum[]; none: string }) => {
  if (sums.length === 0) return <span className="dim">{none}</span>
  const rest = sums.slice(SHOWN)
  return (
    <>
      {sums.slice(0, SHOWN).map(({ currency, amount }) => (
        <span key={currency} className="figure-sum">
          <Money amount={amount} currency={currency} />
        </span>
      ))}
      {rest.length > 0 && (
        <Tooltip label={rest.map(({ currency, amount }) => `${groupDigits(amount)} ${currency}`).join(', ')} multiline>
          <button type="button" className="figure-rest">
            {say('parts.more_currencies', { n: rest.length })}
          </button>
        </Tooltip>
      )}
    </>
  )
}
