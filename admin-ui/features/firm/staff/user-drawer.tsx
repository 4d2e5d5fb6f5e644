import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ReasonForm } from '../../../components/forms/reason-form.tsx'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { ROLE_LABELS, useCan, useMe } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { describeOwnership } from '../users/user-words.ts'
import { type User, useStaff } from '../users/users.api.ts'
import { vouchFor } from './staff.api.ts'
import { say } from './words.ts'

/** Shows what a colleague may do, and whether their votes about money count. */
export const UserDrawer = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const can = useCan()
  const me = useMe()
  const { findStaffName } = useStaff()
  const [vouching, setVouching] = useState(false)
  const { independence } = user
  const mine = independence.belongsTo.includes(me.id)
  return (
    <RecordDrawer opened onClose={onClose} title={user.displayName}>
      <Stack>
        <Facts
          items={[
            [say('field.status'), <StatusBadge key="status" status={user.status} />],
            [say('users.former_names'), user.formerNames.map(({ name }) => name).join(', ') || undefined],
            [say('field.email'), user.email],
            [say('users.roles'), user.roles.map((role) => ROLE_LABELS[role]).join(', ')],
            [say('users.last_login'), user.lastLoginAt ? <When key="at" at={user.lastLoginAt} /> : say('users.never')],
            [say('users.account'), describeOwnership(independence, findStaffName)],
            [say('common.since'), independence.since ? <When key="since" at={independence.since} /> : undefined],
          ]}
        />
        <Alert color={independence.alone ? 'gray' : 'yellow'} variant="light">
          {independence.alone ? say('users.votes.counted') : say('users.votes.uncounted')} {independence.why}
        </Alert>
        {!independence.alone && can('admin') && user.id !== me.id && (
          <Group justify="flex-end" gap="xs">
            {mine ? (
              <Text size="sm" c="dimmed">
                {say('users.vouch.partly_yours')}
              </Text>
            ) : (
              <Button onClick={() => setVouching(true)}>{say('users.vouch.submit')}</Button>
            )}
          </Group>
        )}
      </Stack>
      {vouching && <Vouch user={user} onClose={() => setVouching(false)} onDone={onClose} />}
    </RecordDrawer>
  )
}

type VouchProps = { user: User; onClose: () => void; onDone: () => void }

/** Takes the statement of a third person that only its holder can use an account. */
const Vouch = ({ user, onClose, onDone }: VouchProps) => {
  const refresh = useRefresh()
  return (
    <ReasonForm
      title={say('users.vouch.title', { displayName: user.displayName })}
      submitLabel={say('users.vouch.submit')}
      label={say('common.note')}
      description={say('users.vouch.note_hint')}
      missing={say('users.vouch.note_required')}
      submit={(note) => vouchFor(user.id, note)}
      onDone={() => {
        notify(say('users.vouch.done', { displayName: user.displayName }))
        void refresh('users')
        onDone()
      }}
      onClose={onClose}
      onReload={() => void refresh('users')}
    >
      <Text size="sm">{say('users.vouch.about', { displayName: user.displayName })}</Text>
    </ReasonForm>
  )
}
