import { Alert, Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ReasonForm } from '../../components/reason-form.tsx'
import { Facts } from '../../components/record-page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { notify } from '../../lib/notify.tsx'
import { ROLE_LABELS, useCan, useMe } from '../../lib/session.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { ownershipOf } from './user-words.ts'
import { type User, useStaff, vouchFor } from './users.api.ts'

/** One colleague: what they may do, and whether their votes about money count. */
export const UserDrawer = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const can = useCan()
  const me = useMe()
  const { nameOf } = useStaff()
  const [vouching, setVouching] = useState(false)
  const { independence } = user
  const mine = independence.belongsTo.includes(me.id)
  return (
    <Drawer opened onClose={onClose} title={user.displayName}>
      <Stack>
        <Facts
          items={[
            ['Status', <StatusBadge key="status" status={user.status} />],
            ['E-mail', user.email],
            ['Roles', user.roles.map((role) => ROLE_LABELS[role]).join(', ')],
            ['Last sign-in', user.lastLoginAt ? <When key="at" at={user.lastLoginAt} /> : 'Never'],
            ['The account is', ownershipOf(independence, nameOf)],
            ['Since', independence.since ? <When key="since" at={independence.since} /> : undefined],
          ]}
        />
        <Alert color={independence.alone ? 'gray' : 'yellow'} variant="light">
          {independence.alone
            ? 'Votes from this account count. '
            : 'Votes from this account do not count by themselves. '}
          {independence.why}
        </Alert>
        {!independence.alone && can('admin') && user.id !== me.id && (
          <Group justify="flex-end" gap="xs">
            {mine ? (
              <Text size="sm" c="dimmed">
                The account is partly yours, so a third person has to vouch for it.
              </Text>
            ) : (
              <Button onClick={() => setVouching(true)}>Vouch</Button>
            )}
          </Group>
        )}
      </Stack>
      {vouching && <Vouch user={user} onClose={() => setVouching(false)} onDone={onClose} />}
    </Drawer>
  )
}

type VouchProps = { user: User; onClose: () => void; onDone: () => void }

/** A third person's word that nobody but its holder can use an account. */
const Vouch = ({ user, onClose, onDone }: VouchProps) => {
  const refresh = useRefresh()
  return (
    <ReasonForm
      title={`Vouch for ${user.displayName}`}
      submitLabel="Vouch"
      label="Note"
      description="How you know; every owner is mailed it, and it stays in the audit log"
      missing="Say how you know"
      submit={(note) => vouchFor(user.id, note)}
      onDone={() => {
        notify(`Votes of ${user.displayName} count now.`)
        void refresh('users')
        onDone()
      }}
      onClose={onClose}
      onReload={() => void refresh('users')}
    >
      <Text size="sm">
        You say that nobody but {user.displayName} can sign in to this account: they have changed their password and
        have a second factor that only they hold. From then on their votes about money count.
      </Text>
    </ReasonForm>
  )
}
