import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { type LeavesBehind, leavesBehind } from './staff.api.ts'
import { say } from './words.ts'

const joinLabels = (items: readonly { label: string }[]): string | undefined =>
  items.length === 0 ? undefined : items.map(({ label }) => label).join(', ')

/** Returns each kind with its names, or undefined where there are none. */
const listFacts = ({ clients, ...found }: LeavesBehind): [string, string | undefined][] => {
  const views = found.secretsRead.filter(({ what }) => what === 'recovery_words').length
  const backups = found.secretsRead.filter(({ what }) => what === 'backup')
  return [
    [say('users.left.gateway_secrets'), joinLabels(found.gateways)],
    [say('users.left.ad_secrets'), joinLabels(found.adConnections)],
    [say('users.left.servers'), joinLabels(found.terminals)],
    [say('users.left.colleagues_known'), joinLabels(found.colleagues)],
    [say('users.left.webhook_receivers'), joinLabels(found.receivers)],
    [say('users.left.keys'), joinLabels(found.apiKeys)],
    [say('users.left.words_seen'), views === 0 ? undefined : say('users.left.times', { count: views })],
    [say('users.left.backups_taken'), joinLabels(backups.map(({ label }) => ({ label: label ?? '' })))],
    [
      say('users.left.clients_entered'),
      clients.entered === 0
        ? undefined
        : say('users.left.with_lately', { count: clients.entered, lately: clients.last30Days }),
    ],
    [say('users.left.files'), joinLabels(found.imports)],
  ]
}

/** Lists what a colleague knows, made or entered. It is read before they leave, and mailed to owners when they do. */
export const LeavesBehindFacts = ({ id }: { id: string }) => {
  const left = useQuery({ queryKey: ['users', 'leaves-behind', id], queryFn: () => leavesBehind(id) })
  return (
    <Loaded query={left}>
      {(data) => {
        const facts = listFacts(data).filter(([, names]) => names !== undefined)
        return (
          <Stack gap="xs" mt="sm">
            <Text fw={600}>{say('users.left.title')}</Text>
            {facts.length === 0 ? <Text size="sm">{say('users.left.nothing')}</Text> : <Facts items={facts} />}
            {data.gateways.length + data.receivers.length > 0 && <Text size="sm">{say('users.left.until')}</Text>}
          </Stack>
        )
      }}
    </Loaded>
  )
}
