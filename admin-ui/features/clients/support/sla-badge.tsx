import { Tooltip } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { useState } from 'react'
import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import { usePrinting } from '../../../lib/screen/use-printing.ts'
import { formatDateTime } from '../../../lib/text/format.ts'
import { span } from './durations.ts'
import type { Ticket } from './support.api.ts'
import { say } from './words.ts'

type SlaBadgeProps = Pick<Ticket, 'sla' | 'status'>

const TONES: Record<Ticket['sla']['standing'], Tone> = { fine: 'good', warning: 'wait', breached: 'bad' }

/** Shows the time until the next deadline, or since it was missed, and updates it while it is shown. */
export const SlaBadge = ({ sla, status }: SlaBadgeProps) => {
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), 30_000, { autoInvoke: true })
  const isPrinted = usePrinting()
  const { nextDueAt, firstRepliedAt } = sla
  if (status === 'pending') return <span className="dim">{say('support.paused')}</span>
  if (!nextDueAt) return <span className="dim">—</span>
  const left = Date.parse(nextDueAt) - now
  const breached = left <= 0 || sla.standing === 'breached'
  // paper is read later, when no time that is left would be true
  if (isPrinted) return formatDateTime(nextDueAt)
  const what = firstRepliedAt ? say('support.resolution') : say('support.clock.first_reply')
  return (
    <Tooltip label={say('support.due', { what, when: formatDateTime(nextDueAt) })}>
      <span className="sla" data-standing={breached ? 'breached' : sla.standing}>
        <StatusBadge
          status={sla.standing}
          tone={breached ? 'bad' : TONES[sla.standing]}
          label={breached ? say('support.over', { span: span(left) }) : say('support.left', { span: span(left) })}
        />
      </span>
    </Tooltip>
  )
}
