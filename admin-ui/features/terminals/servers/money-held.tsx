import { Alert, Button, Stack } from '@mantine/core'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { When } from '../../../components/show/moment.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { type Server, updateServer } from './servers.api.ts'
import { say, tell } from './words.ts'

/** Says that no money moves since a copy of the database was put back; an owner lets it move again. */
export const MoneyHeld = ({ server }: { server: Server }) => {
  const can = useCan()
  const refresh = useRefresh()
  const { asked, record, ask, close } = useAsked<'release', Server>(server)
  if (server.moneyHeldAt === null) return null
  const release = async (): Promise<void> => {
    await updateServer(record, { money: true })
    notify(say('terminals.held.released'))
    void refresh('platforms')
  }
  return (
    <Alert color="red" variant="light" title={say('terminals.held.title')}>
      <Stack gap="sm" align="flex-start">
        {tell('terminals.held.text', { when: <When key="when" at={server.moneyHeldAt} as="ago" /> })}
        {can('owner') && (
          <Button variant="default" onClick={() => ask('release')}>
            {say('terminals.held.release')}
          </Button>
        )}
      </Stack>
      <Confirm
        title={say('terminals.held.release')}
        confirmLabel={say('terminals.held.release')}
        opened={asked === 'release'}
        onClose={close}
        onReload={() => void refresh('platforms')}
        action={release}
      >
        {say('terminals.held.question')}
      </Confirm>
    </Alert>
  )
}
