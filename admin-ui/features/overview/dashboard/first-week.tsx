import { Anchor, Button } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../../api.ts'
import { errorText } from '../../../components/page/error-state.tsx'
import { Section } from '../../../components/page/section.tsx'
import { useCan, useMe } from '../../../lib/api/session.ts'
import type { SearchParams } from '../../../lib/lists/search-params.ts'
import { NAVIGATION } from '../../../lib/screen/nav.ts'
import type { PagePath } from '../../../lib/screen/page-path.ts'
import { progressQuery, type Step } from './first-week.api.ts'
import { type SentenceKey, say } from './words.ts'

type Way = { title: SentenceKey; about: SentenceKey; to: PagePath; search?: SearchParams }

const WAYS: Record<Step, Way> = {
  second_manager: { title: 'dashboard.week.manager', about: 'dashboard.week.manager.about', to: '/users' },
  mail_server: { title: 'dashboard.week.mail', about: 'dashboard.week.mail.about', to: '/mail' },
  exchange_rates: { title: 'dashboard.week.rates', about: 'dashboard.week.rates.about', to: '/rates' },
  sanctions_list: {
    title: 'dashboard.week.sanctions',
    about: 'dashboard.week.sanctions.about',
    to: '/sanctions',
    search: { tab: 'lists' },
  },
  gateway_or_key: { title: 'dashboard.week.gateway', about: 'dashboard.week.gateway.about', to: '/gateways' },
  working_hours: {
    title: 'dashboard.week.hours',
    about: 'dashboard.week.hours.about',
    to: '/settings',
    search: { tab: 'support' },
  },
  first_client: { title: 'dashboard.week.client', about: 'dashboard.week.client.about', to: '/traders' },
}

/**
 * Lists what a new firm has yet to do. It is at the top of the dashboard until the firm has clients, and disappears
 * when all is done, or when it is put away.
 */
export const FirstWeek = ({ place }: { place: 'first' | 'later' }) => {
  const can = useCan()
  const { tenant } = useMe()
  const { data } = useQuery({ ...progressQuery, enabled: can('manager') })
  const client = useQueryClient()
  const putAway = useMutation({
    mutationFn: () => call('setup.progress.set', { body: { putAway: true } }),
    onSuccess: (progress) => client.setQueryData(progressQuery.queryKey, progress),
  })
  if (!data || data.complete || data.putAway) return null
  const hasClients = data.steps.some(({ step, done }) => step === 'first_client' && done)
  if (hasClients !== (place === 'later')) return null
  const ready = data.steps.filter(({ done }) => done).length
  return (
    <Section
      title={say('dashboard.week.title', { firm: tenant.name })}
      description={say('dashboard.week.done', { ready, all: data.steps.length })}
      actions={
        can('admin') && (
          <Button size="xs" variant="default" loading={putAway.isPending} onClick={() => putAway.mutate()}>
            {say('dashboard.week.away')}
          </Button>
        )
      }
      flush
    >
      {putAway.isError && (
        <p className="error-text week-error" role="alert">
          {errorText(putAway.error)}
        </p>
      )}
      <ul className="rows week">
        {data.steps.map(({ step, done }) => (
          <StepRow key={step} way={WAYS[step]} done={done} open={mayOpen(WAYS[step].to, can)} />
        ))}
      </ul>
    </Section>
  )
}

/** Returns whether the reader may open the page of a step; if not, the step is shown without a link. */
const mayOpen = (to: string, can: ReturnType<typeof useCan>): boolean =>
  NAVIGATION.some(({ items }) => items.some((page) => page.to === to && can(page.least)))

type StepRowProps = { way: Way; done: boolean; open: boolean }

const StepRow = ({ way: { title, about, to, search = {} }, done, open }: StepRowProps) => (
  <li className="row" data-done={done || undefined}>
    {done ? <IconCircleCheckFilled size={18} aria-hidden /> : <IconCircle size={18} stroke={1.7} aria-hidden />}
    <div className="row-main">
      {open ? (
        <Anchor renderRoot={(props) => <Link {...props} to={to} search={search} />} size="sm">
          {say(title)}
        </Anchor>
      ) : (
        <span className="week-plain">{say(title)}</span>
      )}
      <span className="sr-only"> {say(done ? 'dashboard.week.is_done' : 'dashboard.week.is_open')}</span>
      {!done && <div className="row-sub">{say(about)}</div>}
    </div>
  </li>
)
