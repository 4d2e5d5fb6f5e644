import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Loaded } from '../../../components/page/loaded.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { type SentenceKey, say } from '../../../lib/text/words.ts'
import { summaryQuery } from '../../base/live/summary.ts'
import { formatWorkKey, linkToWork, type MyWork, mineQuery, unseen } from './mine.ts'

const MOST_SHOWN = 9
/** Changes within this many milliseconds cause only one request. */
const GATHER = 1500

/** Reads the viewer's work, and reads it again whenever the stream reports a change of the firm's counts. */
function useMine() {
  const client = useQueryClient()
  const { data: summary } = useQuery(summaryQuery)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const before = useRef(summary)
  useEffect(() => {
    if (before.current && summary !== before.current && timer.current === undefined)
      timer.current = setTimeout(() => {
        timer.current = undefined
        void client.invalidateQueries({ queryKey: mineQuery.queryKey })
      }, GATHER)
    before.current = summary
  }, [client, summary])
  useEffect(() => () => clearTimeout(timer.current), [])
  return useQuery(mineQuery)
}

/** Shows the work that waits for the viewer, and how much of it is new since this browser last showed it. */
export const Bell = ({ userId }: { userId: string }) => {
  const mine = useMine()
  const [opened, { open, close }] = useDisclosure()
  const [seen, setSeen] = useLocalStorage<readonly string[]>({
    key: `seen-work:${userId}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  // Work that was new when the list was opened is marked until the list is closed.
  const [fresh, setFresh] = useState<readonly string[]>([])
  const work = mine.data?.data ?? []
  const count = unseen(work, seen).length
  // A long badge would cover the bell; the name of the button says the exact number.
  const label = count > MOST_SHOWN ? `${MOST_SHOWN}+` : count
  const look = (): void => {
    setFresh(unseen(work, seen).map(formatWorkKey))
    // Before the list has loaded the viewer has seen nothing, and work that was seen before must not become new again.
    if (mine.data) setSeen(work.map(formatWorkKey))
    open()
  }
  return (
    <Popover
      opened={opened}
      onChange={(next) => !next && close()}
      position="bottom-start"
      width={330}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Indicator className="bell-count" label={label} disabled={count === 0} size={14} offset={5} color="red">
        <Popover.Target>
          <ActionIcon
            size="lg"
            aria-label={say('shell.bell', { all: work.length, fresh: count })}
            onClick={opened ? close : look}
          >
            <IconBell size={19} stroke={1.7} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0}>
        <Loaded query={mine}>
          {({ data, isMore }) => <WorkList work={data} isMore={isMore} fresh={fresh} onLeave={close} />}
        </Loaded>
      </Popover.Dropdown>
    </Popover>
  )
}

const GROUPS: readonly { kind: MyWork['kind']; title: SentenceKey }[] = [
  { kind: 'ticket', title: 'shell.bell.tickets' },
  { kind: 'withdrawal', title: 'shell.bell.withdrawals' },
  { kind: 'kyc', title: 'shell.bell.kyc' },
  { kind: 'lead', title: 'shell.bell.leads' },
]

type WorkListProps = { work: readonly MyWork[]; isMore: boolean; fresh: readonly string[]; onLeave: () => void }

const WorkList = ({ work, isMore, fresh, onLeave }: WorkListProps) => (
  <div className="bell-list">
    <div className="bell-head">{say('shell.bell.title')}</div>
    {work.length === 0 && <p className="dim">{say('shell.bell.none')}</p>}
    {GROUPS.map(({ kind, title }) => {
      const rows = work.filter((one) => one.kind === kind)
      return rows.length === 0 ? null : (
        <section key={kind} aria-label={say(title)}>
          <div className="bell-group">{say(title)}</div>
          <ul>
            {rows.map((one) => (
              <li key={one.id}>
                <WorkRow work={one} isFresh={fresh.includes(formatWorkKey(one))} onLeave={onLeave} />
              </li>
            ))}
          </ul>
        </section>
      )
    })}
    {isMore && <p className="dim">{say('shell.bell.more')}</p>}
  </div>
)

const WorkRow = ({ work, isFresh, onLeave }: { work: MyWork; isFresh: boolean; onLeave: () => void }) => (
  <Link {...linkToWork(work)} className="bell-row" data-fresh={isFresh || undefined} onClick={onLeave}>
    <span className="bell-title ellipsis">
      {work.title || say('shell.bell.nameless')}
      {isFresh && <span className="sr-only">{say('shell.bell.fresh')}</span>}
    </span>
    {work.amount !== null && work.currency !== null && <Money amount={work.amount} currency={work.currency} />}
    <span className="bell-sub ellipsis">
      {work.name && `${work.name} · `}
      <When at={work.at} as="ago" />
    </span>
  </Link>
)
