import { Tooltip } from '@mantine/core'
import { formatAgo, formatDate, formatDateTime, formatSecond, formatTime, formatUtc } from '../../lib/text/format.ts'

type WhenProps = {
  at: string | null | undefined
  as?: 'datetime' | 'second' | 'date' | 'time' | 'ago'
}

const FORMATS = {
  datetime: formatDateTime,
  second: formatSecond,
  date: formatDate,
  time: formatTime,
  ago: (iso: string) => formatAgo(iso),
}

/** Shows a moment in the firm's time zone, and in UTC as a tooltip. */
export const When = ({ at, as = 'datetime' }: WhenProps) => {
  if (!at) return <span className="dim">—</span>
  return (
    <Tooltip label={as === 'ago' ? `${formatDateTime(at)} · ${formatUtc(at)}` : formatUtc(at)}>
      <time dateTime={at} className="when">
        {FORMATS[as](at)}
      </time>
    </Tooltip>
  )
}
