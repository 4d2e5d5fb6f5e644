import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Loaded } from '../../../components/page/loaded.tsx'
import { PageTabs } from '../../../components/page/page-tabs.tsx'
import { Facts, RecordPage } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { platformName } from '../../books/accounts/account-words.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { InstructionTable } from '../accounts/instruction-table.tsx'
import { DayTable } from '../records/day-table.tsx'
import { DealTable } from '../records/deal-table.tsx'
import { FindingTable } from '../records/finding-table.tsx'
import { LoginTable } from '../records/login-table.tsx'
import { MoneyHeld } from './money-held.tsx'
import { PendingSettings } from './pending-settings.tsx'
import { ServerActions } from './server-actions.tsx'
import {
  DRIVERS,
  formatCertificate,
  HealthState,
  listGroups,
  MoneyState,
  ServerStatus,
  TRUST,
} from './server-words.tsx'
import { fetchServer, type Server } from './servers.api.ts'
import { TestResult } from './test-result.tsx'
import { say } from './words.ts'
import './servers.css'

/** The page is read again after this many milliseconds. */
const REFRESH = 10_000

/** Shows a connection to a trading server: how it fares, what waits for a second person, and what was read. */
export const ServerPage = () => {
  const { id = '' } = useParams({ strict: false })
  const server = useQuery({
    queryKey: ['platforms', 'one', id],
    queryFn: () => fetchServer(id),
    refetchInterval: REFRESH,
  })
  return <Loaded query={server}>{(data) => <ServerRecord key={data.id} server={data} />}</Loaded>
}

const TABS = [
  ['overview', say('terminals.page.tab.overview'), 'operator'],
  ['logins', say('terminals.page.tab.logins'), 'manager'],
  ['deals', say('terminals.page.tab.deals'), 'manager'],
  ['findings', say('terminals.page.tab.findings'), 'manager'],
  ['days', say('terminals.page.tab.days'), 'manager'],
  ['instructions', say('terminals.order.title'), 'operator'],
] as const

const ServerRecord = ({ server }: { server: Server }) => {
  const can = useCan()
  const navigate = useNavigate()
  const { id } = server
  const shown = TABS.filter(([, , least]) => can(least))
  return (
    <RecordPage
      title={server.name}
      back={{ to: '/platforms', label: say('terminals.list.title') }}
      status={<ServerStatus status={server.status} />}
      subtitle={server.server}
      actions={
        <ServerActions
          server={server}
          onGone={() => navigate({ to: '/platforms' })}
          onImport={(importId) => void navigate({ to: '/traders/import/$id', params: { id: importId } })}
        />
      }
    >
      {shown.length === 1 ? (
        <Overview server={server} />
      ) : (
        <PageTabs
          tabs={shown}
          first="overview"
          panels={{
            overview: <Overview server={server} />,
            logins: <LoginTable connectionId={id} />,
            deals: <DealTable connectionId={id} />,
            findings: <FindingTable connectionId={id} />,
            days: <DayTable connectionId={id} />,
            instructions: <InstructionTable fixed={{ connectionId: id }} />,
          }}
        />
      )}
    </RecordPage>
  )
}

const Overview = ({ server }: { server: Server }) => (
  <Stack gap="md">
    <Notice server={server} />
    <MoneyHeld server={server} />
    {server.pending && <PendingSettings server={server} pending={server.pending} />}
    <Health server={server} />
    <Settings server={server} />
    {server.lastTest && (
      <Section title={say('terminals.test.last')} description={<When at={server.lastTest.at} />}>
        <TestResult test={server.lastTest} />
      </Section>
    )}
  </Stack>
)

/** Says on top why nothing is read, or whose word it is. */
const Notice = ({ server: { status, health } }: { server: Server }) => {
  const { lastError, state } = health
  if (status === 'paused')
    return (
      <Alert color="yellow" variant="light" title={say('terminals.page.paused_title')}>
        {say('terminals.page.paused')}
      </Alert>
    )
  if (status === 'error' || (lastError && state !== 'connected'))
    return (
      <Alert
        color={status === 'error' ? 'red' : 'yellow'}
        variant="light"
        title={say(status === 'error' ? 'terminals.page.stopped_title' : 'terminals.page.failing_title')}
      >
        {lastError && <div className="fingerprint">{lastError.text}</div>}
        {status === 'error' && say('terminals.page.stopped')}
      </Alert>
    )
  if (status !== 'unconfirmed') return null
  return (
    <Alert color="yellow" variant="light" title={say('terminals.page.unconfirmed_title')}>
      {say('terminals.page.unconfirmed')}
    </Alert>
  )
}

const Health = ({ server: { health, money } }: { server: Server }) => (
  <Section title={say('terminals.page.health')}>
    <Facts
      items={[
        [say('terminals.page.state_now'), <HealthState key="state" state={health.state} />],
        [say('terminals.page.state_since'), <When key="since" at={health.since} as="ago" />],
        [say('terminals.list.read'), health.lastReadAt && <When key="read" at={health.lastReadAt} as="ago" />],
        [say('terminals.list.last_deal'), health.lastDealAt && <When key="deal" at={health.lastDealAt} as="ago" />],
        [
          say('terminals.page.clock'),
          health.clockOffsetMinutes === null
            ? null
            : say('terminals.page.clock_value', { minutes: health.clockOffsetMinutes }),
        ],
        [say('common.money'), <MoneyState key="money" money={money} />],
        [say('terminals.page.next_try'), health.nextTryAt ? <When key="next" at={health.nextTryAt} /> : undefined],
      ]}
    />
  </Section>
)

const Settings = ({ server }: { server: Server }) => {
  const { findStaffName } = useStaff()
  const { certificate, readEvery } = server
  return (
    <Section title={say('terminals.page.settings')}>
      <Facts
        items={[
          [say('terminals.form.server'), server.server],
          [say('common.platform'), platformName(server.platform)],
          [say('terminals.page.driver'), DRIVERS[server.driver]],
          [say('terminals.form.address'), server.address ?? say('terminals.page.hidden')],
          [say('terminals.form.login'), server.login ?? say('terminals.page.hidden')],
          [say('terminals.form.trust'), TRUST[server.trust]],
          [
            say('terminals.test.check.certificate'),
            certificate === undefined
              ? say('terminals.page.hidden')
              : certificate && <Certificate key="certificate" text={certificate} />,
          ],
          [
            say('terminals.form.groups'),
            <span key="groups" className="masks">
              {listGroups(server.groups)}
            </span>,
          ],
          [say('terminals.form.since'), <When key="since" at={server.since} />],
          [say('terminals.page.reads'), say('terminals.page.reads_value', readEvery)],
          [say('terminals.pace.requests'), String(server.requestsPerSecond)],
          [say('terminals.page.entered_by'), server.enteredBy.map((id) => findStaffName(id)).join(', ')],
          [say('terminals.page.entered_at'), <When key="entered" at={server.enteredAt} />],
          [say('terminals.page.confirmed_by'), findStaffName(server.confirmedBy)],
          [say('terminals.page.confirmed_at'), server.confirmedAt && <When key="confirmed" at={server.confirmedAt} />],
        ]}
      />
    </Section>
  )
}

const Certificate = ({ text }: { text: string }) => <code className="fingerprint">{formatCertificate(text)}</code>
