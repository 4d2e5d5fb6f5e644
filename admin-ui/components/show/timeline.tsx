import { Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePrinting } from '../../lib/screen/use-printing.ts'
import { formatDate } from '../../lib/text/format.ts'
import { say } from '../../lib/text/words.ts'
import { When } from './moment.tsx'
import './timeline.css'

/** One entry of a timeline. */
export type TimelineLine = {
  id: string
  at: string
  icon: ReactNode
  /** The kind of entry, for the icon's tooltip and screen readers. */
  kind: string
  /** The sentence, in the parts before and after the record that it names. */
  parts: readonly string[]
  record: { label: string; to: string | null }
  who: string
  note: string | null
  changes: readonly string[]
}

const DAY = 86_400_000

/** Returns the day of a moment in the firm's zone, as a heading. */
export const dayHeading = (iso: string, now = Date.now()): string => {
  const day = formatDate(iso)
  if (day === formatDate(new Date(now).toISOString())) return say('parts.today')
  return day === formatDate(new Date(now - DAY).toISOString()) ? say('parts.yesterday') : day
}

/** Shows entries by day, newest first; on paper no day is called today. The caller makes the sentences. */
export const Timeline = ({ lines }: { lines: readonly TimelineLine[] }) => {
  const isPrinted = usePrinting()
  const nameDay = (at: string): string => (isPrinted ? formatDate(at) : dayHeading(at))
  return (
    <div className="timeline">
      {[...Map.groupBy(lines, ({ at }) => nameDay(at))].map(([day, some]) => (
        <section key={day}>
          <h3 className="timeline-day">{day}</h3>
          <ol className="timeline-lines">
            {some.map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

const Line = ({ line: { at, icon, kind, parts, record, who, note, changes } }: { line: TimelineLine }) => {
  const [first = '', ...rest] = parts
  return (
    <li className="timeline-line">
      <Tooltip label={kind}>
        <span className="timeline-icon" role="img" aria-label={kind}>
          {icon}
        </span>
      </Tooltip>
      <div className="timeline-main">
        <div>
          {first}
          {rest.map((part) => (
            <span key={part}>
              {record.to ? (
                <Link to={record.to} className="text-link">
                  {record.label}
                </Link>
              ) : (
                record.label
              )}
              {part}
            </span>
          ))}
          <span className="dim"> · {who}</span>
        </div>
        {changes.map((change) => (
          <div key={change} className="timeline-change">
            {change}
          </div>
        ))}
        {note && <div className="timeline-note note">{note}</div>}
      </div>
      <div className="timeline-time">
        <When at={at} as="time" />
      </div>
    </li>
  )
}
