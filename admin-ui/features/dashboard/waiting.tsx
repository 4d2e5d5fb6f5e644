import {
  IconBuildingBank,
  IconChevronRight,
  IconCreditCard,
  IconCurrencyBitcoin,
  IconMail,
  IconWallet,
  IconWebhook,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { formatCount } from '../../lib/format.ts'
import type { SearchParams } from '../../lib/search-params.ts'
import { useCan } from '../../lib/session.ts'
import type { Deposit } from '../deposits/deposits.api.ts'
import { careQuery, pendingQuery } from './dashboard.api.ts'

type Icon = ComponentType<{ size?: number | string; stroke?: number | string }>
type Task = { key: string; label: string; count: number; icon: Icon; to: string; search: SearchParams }

const METHODS: Record<Deposit['method'], { label: string; icon: Icon }> = {
  bank: { label: 'Bank deposits to decide', icon: IconBuildingBank },
  card: { label: 'Card deposits to decide', icon: IconCreditCard },
  wallet: { label: 'Wallet deposits to decide', icon: IconWallet },
  crypto: { label: 'Crypto deposits to decide', icon: IconCurrencyBitcoin },
}

/** Work that waits for somebody, with a count and the way there. */
export const Waiting = () => {
  const can = useCan()
  const pending = useQuery(pendingQuery)
  const care = useQuery({ ...careQuery, enabled: can('admin') })
  const failing = care.data?.failing ?? []
  const first = failing[0]
  const others: Task[] = [
    {
      key: 'webhooks',
      label: failing.length === 1 ? 'Webhook that fails' : 'Webhooks that fail',
      count: failing.length,
      icon: IconWebhook,
      to: failing.length === 1 && first ? `/webhooks/${first.id}/deliveries` : '/webhooks',
      search: {},
    },
    {
      key: 'mails',
      label: 'Mails to pass on',
      count: care.data?.mails ?? 0,
      icon: IconMail,
      to: '/mail',
      search: { status: 'held' },
    },
  ]
  return (
    <Section title="Waiting" description="What somebody has to decide or look after." flush>
      <Loaded query={pending}>
        {(methods) => {
          const deposits: Task[] = methods.map(({ method, count }) => ({
            key: method,
            count,
            to: '/deposits',
            search: { method },
            ...METHODS[method],
          }))
          const tasks = [...deposits, ...others].filter(({ count }) => count > 0)
          return tasks.length > 0 ? (
            <ul className="rows">
              {tasks.map((task) => (
                <TaskRow key={task.key} task={task} />
              ))}
            </ul>
          ) : (
            <EmptyState title="Nothing is waiting">Every deposit has been decided.</EmptyState>
          )
        }}
      </Loaded>
    </Section>
  )
}

const TaskRow = ({ task: { label, count, icon: Icon, to, search } }: { task: Task }) => (
  <li>
    <Link to={to} search={search} className="row task">
      <Icon size={18} stroke={1.7} />
      <span className="row-main">{label}</span>
      <span className="task-count">{formatCount(count)}</span>
      <IconChevronRight size={16} stroke={1.7} aria-hidden />
    </Link>
  </li>
)
