import {
  IconAdjustmentsDollar,
  IconAffiliate,
  IconAlarm,
  IconCash,
  IconCashBanknote,
  IconChevronRight,
  IconCoins,
  IconCreditCardOff,
  IconId,
  IconMail,
  IconMessages,
  IconSend,
  IconServerBolt,
  IconShieldExclamation,
  IconShieldX,
  IconTransfer,
  IconTransferVertical,
  IconUserPlus,
  IconWebhook,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { ErrorState } from '../../../components/page/error-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { useCan, useMe } from '../../../lib/api/session.ts'
import type { SearchParams } from '../../../lib/lists/search-params.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { QUEUES, type Queue, type Summary, summaryQuery } from '../../base/live/summary.ts'
import { buildCareQuery } from './dashboard.api.ts'
import { say } from './words.ts'

type Icon = ComponentType<{ size?: number | string; stroke?: number | string }>
type Task = {
  key: string
  label: string
  count: number
  icon: Icon
  /** The path of a page, or of a record if only this one waits. */
  to: string
  search: SearchParams
  urgent?: boolean
  /** Set where the list opens each record on a page, so that the first one can be opened from here. */
  isQueue?: boolean
}

const ICONS: Record<keyof Summary, Icon> = {
  overdueTickets: IconAlarm,
  openSanctions: IconShieldExclamation,
  failedScreenings: IconShieldX,
  requestedWithdrawals: IconCashBanknote,
  approvedWithdrawals: IconSend,
  pendingDeposits: IconCash,
  pendingKyc: IconId,
  requestedAdjustments: IconAdjustmentsDollar,
  requestedPayouts: IconAffiliate,
  openTickets: IconMessages,
  newLeads: IconUserPlus,
  pspExceptions: IconCreditCardOff,
  sentTransfers: IconTransfer,
  unconfirmedRates: IconCoins,
  terminalFindings: IconServerBolt,
  unresolvedTransfers: IconTransferVertical,
}

const RECORDS = ['/deposits', '/withdrawals', '/kyc', '/support']

const toTask = ({ count, one, many, to, search }: Queue, counts: Summary): Task => {
  const waiting = counts[count] ?? 0
  return {
    key: count,
    count: waiting,
    label: waiting === 1 ? one : many,
    icon: ICONS[count],
    to,
    search,
    urgent: count === 'overdueTickets',
    isQueue: RECORDS.includes(to),
  }
}

/** Lists work that waits for the reader, with counts and links. Work that the reader may not decide is left out. */
export const Waiting = () => {
  const can = useCan()
  const summary = useQuery(summaryQuery)
  const care = useQuery({ ...buildCareQuery(useMe().email), enabled: can('admin') })
  // “Nothing waits for you” may be false while the webhooks and the mail cannot be read.
  const unread = care.isError && care.data === undefined
  const failing = care.data?.failing ?? []
  const first = failing[0]
  const others: Task[] = [
    {
      key: 'webhooks',
      label: failing.length === 1 ? say('dashboard.waiting.webhook') : say('dashboard.waiting.webhooks'),
      count: failing.length,
      icon: IconWebhook,
      to: failing.length === 1 && first ? `/webhooks/${first.id}/deliveries` : '/webhooks',
      search: {},
    },
    {
      key: 'mails',
      label: say('dashboard.waiting.mails'),
      count: care.data?.mails ?? 0,
      icon: IconMail,
      to: '/mail',
      search: { status: 'held' },
    },
  ]
  return (
    <Section title={say('dashboard.tile.waiting')} description={say('dashboard.waiting.about')} flush>
      <Loaded query={summary}>
        {(counts) => {
          const queues = QUEUES.filter(({ least }) => can(least)).map((queue) => toTask(queue, counts))
          const tasks = [...queues, ...others].filter(({ count }) => count > 0)
          return (
            <>
              {tasks.length > 0 && (
                <ul className="rows">
                  {tasks.map((task) => (
                    <TaskRow key={task.key} task={task} />
                  ))}
                </ul>
              )}
              {unread ? (
                <ErrorState error={care.error} retry={() => void care.refetch()} />
              ) : (
                tasks.length === 0 && (
                  <EmptyState title={say('dashboard.waiting.empty_title')}>{say('dashboard.waiting.empty')}</EmptyState>
                )
              )}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

const TaskRow = ({ task: { label, count, icon: Icon, to, search, urgent, isQueue } }: { task: Task }) => (
  <li className="task-line">
    <Link to={to} search={search} className="row task" data-work data-urgent={urgent || undefined}>
      <Icon size={18} stroke={1.7} />
      <span className="row-main">{label}</span>
      <span className="task-count">{formatCount(count)}</span>
      <IconChevronRight size={16} stroke={1.7} aria-hidden />
    </Link>
    {isQueue && (
      <Link
        to={to}
        search={{ ...search, start: 'first' }}
        className="task-start"
        aria-label={say('dashboard.start.label', { queue: label })}
      >
        {say('dashboard.start')}
      </Link>
    )}
  </li>
)
