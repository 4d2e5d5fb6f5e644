import { Button, Stack, Text } from '@mantine/core'
import { IconCheck, IconPlugConnected } from '@tabler/icons-react'
import { ALONE_HOURS } from '../../../../src/words/rule-figures.ts'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { Section } from '../../../components/page/section.tsx'
import { JsonDiff } from '../../../components/show/json-diff.tsx'
import { When } from '../../../components/show/moment.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan, useMe } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { formatDateTime } from '../../../lib/text/format.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { ServerTestPanel } from './server-test.tsx'
import { formatCertificate, listGroups, TRUST } from './server-words.tsx'
import { confirmServer, type Pending, type Server } from './servers.api.ts'
import { say, tell } from './words.ts'
import './servers.css'

type Name = Pending['fields'][number]
const FIELDS: Record<Name, string> = {
  address: say('common.address'),
  trust: say('terminals.form.trust'),
  certificate: say('terminals.test.check.certificate'),
  login: say('terminals.form.login'),
  password: say('terminals.form.password'),
  groups: say('terminals.form.groups'),
  since: say('terminals.form.since'),
  money: say('common.money'),
}
const isName = (key: string): key is Name => key in FIELDS

/** Writes the value of a setting; a value that the reader is not shown says so. */
function writeValue(name: Name, values: Partial<Pending['values']>): string | null {
  const { trust, certificate, groups, since, money } = values
  if (!(name in values)) return say('terminals.page.hidden')
  if (name === 'trust') return trust ? TRUST[trust] : null
  if (name === 'certificate') return certificate ? formatCertificate(certificate) : null
  if (name === 'groups') return groups ? listGroups(groups) : null
  if (name === 'since') return since ? formatDateTime(since) : null
  if (name === 'money') return say(money ? 'terminals.money.on' : 'terminals.money.off')
  return name === 'password' ? null : (values[name] ?? null)
}

/** Returns the waiting fields with what they are in force, or what they are to be. */
const writeValues = (fields: readonly Name[], values: Partial<Pending['values']>, password: string) =>
  Object.fromEntries(fields.map((name) => [name, name === 'password' ? password : writeValue(name, values)]))

/** Shows what waits for a second person, as it is and as it is to be, and lets that person confirm it. */
export const PendingSettings = ({ server, pending }: { server: Server; pending: Pending }) => {
  const can = useCan()
  const me = useMe()
  const { findStaffName } = useStaff()
  const { asked, record, ask, close } = useAsked<'confirm' | 'test', Server>(server)
  const isNew = server.confirmedAt === null
  const isOwn = pending.by.includes(me.id)
  const mayConfirm = can('admin') && (!isOwn || isAlone(pending, can('owner')))
  const names = pending.by.map((id) => findStaffName(id)).join(', ')
  return (
    <Section
      title={say('terminals.waits.title')}
      description={tell('terminals.waits.by', { names, when: <When key="when" at={pending.at} as="ago" /> })}
      actions={
        <>
          {can('admin') && !isNew && (
            <Button variant="default" leftSection={<IconPlugConnected size={16} />} onClick={() => ask('test')}>
              {say('terminals.waits.test')}
            </Button>
          )}
          {mayConfirm && (
            <Button leftSection={<IconCheck size={16} />} onClick={() => ask('confirm')}>
              {say('terminals.waits.confirm')}
            </Button>
          )}
        </>
      }
    >
      <Stack gap="sm">
        <WhoConfirms isOwn={isOwn} />
        <JsonDiff
          before={isNew ? null : writeValues(pending.fields, server, say('terminals.waits.password_before'))}
          after={writeValues(pending.fields, pending.values, say('terminals.waits.password_after'))}
          nameField={(key) => (isName(key) ? FIELDS[key] : key)}
        />
        <Presented server={server} pending={pending} />
      </Stack>
      {asked === 'test' && <ServerTestPanel server={record} ofPending onClose={close} />}
      <ConfirmDialog server={record} opened={asked === 'confirm'} onClose={close} />
    </Section>
  )
}

/** Returns whether an owner may confirm their own entry by now; the server looks whether the firm has nobody else. */
const isAlone = ({ at }: Pending, isOwner: boolean): boolean =>
  isOwner && Date.now() - Date.parse(at) >= ALONE_HOURS * 3_600_000

const WhoConfirms = ({ isOwn }: { isOwn: boolean }) => {
  const can = useCan()
  if (can('admin') && !isOwn) return null
  const words = isOwn
    ? say(can('owner') ? 'terminals.waits.own_owner' : 'terminals.waits.own', { hours: ALONE_HOURS })
    : say('terminals.waits.admin')
  return (
    <Text size="sm" c="dimmed">
      {words}
    </Text>
  )
}

/** Compares the pinned certificate that waits with the one that the last test was shown. */
const Presented = ({ server: { lastTest }, pending: { values } }: { server: Server; pending: Pending }) => {
  const shown = lastTest?.certificate?.fingerprint
  const pinned = values.certificate
  if (!shown || !pinned || pinned.length !== shown.length) return null
  const isSame = shown === pinned
  return (
    <Text size="sm" className={isSame ? 'fingerprint' : 'fingerprint error-text'}>
      {isSame ? say('terminals.waits.same') : say('terminals.waits.differs', { fingerprint: formatCertificate(shown) })}
    </Text>
  )
}

type ConfirmDialogProps = { server: Server; opened: boolean; onClose: () => void }

/** Asks before the settings come into force; what is confirmed is what was shown when the dialog opened. */
const ConfirmDialog = ({ server: { id, name, pending, confirmedAt }, opened, onClose }: ConfirmDialogProps) => {
  const refresh = useRefresh()
  const confirm = async (): Promise<void> => {
    if (pending === null) return
    try {
      await confirmServer(id, pending.version)
      notify(say('terminals.waits.confirmed'))
    } finally {
      // a refusal says that something else waits, or nothing: the page shows what
      void refresh('platforms')
    }
  }
  return (
    <Confirm
      title={say('terminals.waits.confirm_title')}
      confirmLabel={say('terminals.waits.confirm')}
      danger={false}
      opened={opened}
      onClose={onClose}
      action={confirm}
    >
      {say(confirmedAt === null ? 'terminals.waits.confirm_new' : 'terminals.waits.confirm_change', { name })}
    </Confirm>
  )
}
