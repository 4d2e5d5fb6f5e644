import { Button, Skeleton, Stack } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { ErrorState } from '../../../components/page/error-state.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { fetchSessions, revokeAllSessions, revokeSession, type Session } from '../auth/auth.api.ts'
import { describeAgent } from './describe-agent.ts'
import { say, tell } from './words.ts'

type Asked = { kind: 'one'; session: Session } | { kind: 'all' } | null

/** Lists where the reader is signed in, and ends one session or all of them. */
export const SessionsSection = () => {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked>(null)
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: fetchSessions })
  const close = (): void => setAsked(null)
  const run = async (): Promise<void> => {
    if (asked?.kind === 'one') await revokeSession(asked.session.id)
    if (asked?.kind === 'all') await revokeAllSessions()
    // After all sessions have ended, this request has none, and its 401 leads to the sign-in page.
    await client.invalidateQueries({ queryKey: ['sessions'] })
  }
  return (
    <Section
      title={say('security.sessions.title')}
      description={say('security.sessions.about')}
      flush
      actions={
        <Button variant="default" onClick={() => setAsked({ kind: 'all' })}>
          {say('security.sessions.end_all.title')}
        </Button>
      }
    >
      {sessions.isPending && (
        <Stack p="md">
          <Skeleton height={16} width="60%" />
          <Skeleton height={16} width="50%" />
        </Stack>
      )}
      {sessions.isLoadingError && <ErrorState error={sessions.error} retry={() => void sessions.refetch()} />}
      {sessions.data && (
        <ul className="rows">
          {sessions.data.data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => setAsked({ kind: 'one', session })} />
          ))}
        </ul>
      )}
      <Confirm
        title={asked?.kind === 'all' ? say('security.sessions.end_all.title') : say('security.sessions.end.title')}
        confirmLabel={
          asked?.kind === 'all' ? say('security.sessions.end_all.title') : say('security.sessions.end.submit')
        }
        opened={asked !== null}
        onClose={close}
        action={run}
      >
        {asked?.kind === 'all' ? say('security.sessions.end_all.about') : say('security.sessions.end.about')}
      </Confirm>
    </Section>
  )
}

const SessionRow = ({ session, onEnd }: { session: Session; onEnd: () => void }) => {
  const { browser, phone } = describeAgent(session.userAgent)
  const Icon = phone ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className="row">
      <Icon size={20} stroke={1.6} aria-hidden className="row-icon" />
      <div className="row-main">
        <div>
          {browser} {session.current && <span className="tag">{say('security.sessions.current')}</span>}
        </div>
        <div className="row-sub">
          {tell('security.sessions.facts', {
            ip: session.ip ?? say('security.sessions.address_unknown'),
            active: <When at={session.lastSeenAt} as="ago" />,
            signedIn: <When at={session.createdAt} as="date" />,
          })}
        </div>
      </div>
      {!session.current && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          onClick={onEnd}
          aria-label={say('security.sessions.end.label', { browser })}
        >
          {say('security.sessions.end.action')}
        </Button>
      )}
    </li>
  )
}
