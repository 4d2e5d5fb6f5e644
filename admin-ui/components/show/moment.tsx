import { Tooltip } from '@mantine/core'
import { usePrinting } from '../../lib/screen/use-printing.ts'
import {
  formatAgo,
  formatDate,
  formatDateTime,
  formatSecond,
  formatTime,
  formatUtc,
  formatZoned,
} from '../../lib/text/format.ts'
import { say } from '../../lib/text/words.ts'

type WhenProps = {
  at: string | null | undefined
  as?: 'datetime' | 'second' | 'date' | 'time' | 'ago'
}

const FORMATS = {
  datetime: formatDateTime,
  second: formatSecond,
  date: formatDate,
  time: formatTime,
}

/** Shows a moment in the firm's time zone; a tooltip names that zone, and has the moment in UTC. */
export const When = ({ at, as = 'datetime' }: WhenProps) => {
  if (!at) return <span className="dim">—</span>
  return (
    <Tooltip label={say('parts.moment', { zoned: formatZoned(at), utc: formatUtc(at) })}>
      <time dateTime={at} className="when">
        {as === 'ago' ? <Ago at={at} /> : FORMATS[as](at)}
      </time>
    </Tooltip>
  )
}

/** Tells how long ago a moment was; on paper, which is read later, the moment itself. */
const Ago = ({ at }: { at: string }) => (usePrinting() ? formatDateTime(at) : formatAgo(at))
