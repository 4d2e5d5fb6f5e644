import { ActionIcon, Button, Group, SimpleGrid, Table, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer } from '../../../api.ts'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { ScrollRegion } from '../../../components/show/scroll-region.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { useDialogForm } from '../../../lib/forms/use-dialog-form.ts'
import { formatBytes } from '../../../lib/text/format.ts'
import { boxesQuery, setBoxes } from './system.api.ts'
import { say } from './words.ts'

type Boxes = Answer<'system.boxes'>['boxes']
type Box = Boxes[number]
type Named = Pick<Box, 'name' | 'url'>

const NAME = /^[a-z0-9][a-z0-9-]{0,30}$/
const ADDRESS = /^https?:\/\/[^/?#\s@]+$/
const TONES = { primary: 'good', standby: 'info', starting: 'wait', replaced: 'bad' } as const

/** Lists the machines that work together, each with what it says of itself. `canChange` is false on a standby. */
export const BoxesSection = ({ canChange }: { canChange: boolean }) => {
  const boxes = useQuery(boxesQuery)
  const [isOpen, setOpen] = useState(false)
  const known = boxes.data
  return (
    <Section
      title={say('boxes.title')}
      description={say('boxes.about')}
      flush
      actions={
        canChange &&
        known && (
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            {say('boxes.edit')}
          </Button>
        )
      }
    >
      <Loaded query={boxes}>
        {(data) =>
          data.boxes.length === 0 ? (
            <EmptyState title={say('boxes.none')}>{say('boxes.none_about')}</EmptyState>
          ) : (
            <BoxTable boxes={data.boxes} />
          )
        }
      </Loaded>
      {isOpen && known && <BoxesForm known={known} onClose={() => setOpen(false)} />}
    </Section>
  )
}

const BoxTable = ({ boxes }: { boxes: Boxes }) => (
  <ScrollRegion className="jobs-region" label={say('boxes.title')}>
    <Table className="boxes" verticalSpacing={8} horizontalSpacing="md" aria-label={say('boxes.title')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{say('boxes.name')}</Table.Th>
          <Table.Th>{say('boxes.role')}</Table.Th>
          <Table.Th>{say('boxes.behind')}</Table.Th>
          <Table.Th>{say('boxes.firms')}</Table.Th>
          <Table.Th>{say('boxes.version')}</Table.Th>
          <Table.Th>{say('boxes.disk')}</Table.Th>
          <Table.Th>{say('boxes.proven')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {boxes.map((box) => (
          <BoxRow key={box.name} {...box} />
        ))}
      </Table.Tbody>
    </Table>
  </ScrollRegion>
)

/** Returns by how many seconds a standby, or the replica of a server, is behind; null if nothing is known. */
const readDelay = ({ ageSeconds, replica }: NonNullable<Box['self']>): number | null =>
  ageSeconds ?? (replica ? Math.round(replica.lagMs / 1000) : null)

const BoxRow = ({ name, url, self, error }: Box) => {
  const delay = self && readDelay(self)
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{name}</Text>
        <Text size="xs" c="dimmed">
          {url}
        </Text>
      </Table.Td>
      {self ? (
        <>
          <Table.Td>
            <StatusBadge status={self.role} tone={TONES[self.role]} label={say(`boxes.role.${self.role}`)} />
            {self.reads && (
              <Text size="xs" c="dimmed">
                {say('boxes.reads', { ...self.reads, host: new URL(self.reads.url).host })}
              </Text>
            )}
          </Table.Td>
          <Table.Td>{delay === null ? '—' : say('standby.seconds', { seconds: delay })}</Table.Td>
          <Table.Td className="boxes-firms">{self.firms.map(({ domain, slug }) => domain ?? slug).join(', ')}</Table.Td>
          <Table.Td>{self.version}</Table.Td>
          <Table.Td>{formatBytes(self.disk.freeBytes)}</Table.Td>
          <Table.Td>{self.provenAt ? <When at={self.provenAt} as="ago" /> : '—'}</Table.Td>
        </>
      ) : (
        <Table.Td colSpan={6} className="error-text">
          {error}
        </Table.Td>
      )}
    </Table.Tr>
  )
}

/** Names the machines. */
const BoxesForm = ({ known, onClose }: { known: Answer<'system.boxes'>; onClose: () => void }) => {
  const { boxes, version } = known
  const named: Named[] = boxes.map(({ name, url }) => ({ name, url }))
  const offerUndo = useUndo('boxes')
  const { form, dialog } = useDialogForm<{ boxes: Named[] }, Answer<'system.setBoxes'>>({
    initialValues: { boxes: named.length > 0 ? named : [{ name: '', url: '' }] },
    validate: {
      boxes: {
        name: (text: string) => (NAME.test(text) ? null : say('boxes.name.hint')),
        url: (text: string) => (ADDRESS.test(text) ? null : say('boxes.url.hint')),
      },
    },
    submit: (values) => setBoxes(values.boxes, version),
    done: (saved) => offerUndo(say('boxes.done'), () => setBoxes(named, saved.version)),
    reads: 'boxes',
    onClose,
  })
  return (
    <FormDrawer {...dialog} title={say('boxes.title')} submitLabel={say('boxes.submit')}>
      {form.getValues().boxes.map((box, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a box is named only by its place while it is typed
        <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" flex={1}>
            <TextInput label={say('boxes.name')} {...form.getInputProps(`boxes.${index}.name`)} />
            <TextInput label={say('boxes.url')} {...form.getInputProps(`boxes.${index}.url`)} />
          </SimpleGrid>
          <ActionIcon
            mt={26}
            aria-label={say('boxes.remove', { name: box.name || String(index + 1) })}
            onClick={() => form.removeListItem('boxes', index)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => form.insertListItem('boxes', { name: '', url: '' })}
      >
        {say('boxes.add')}
      </Button>
    </FormDrawer>
  )
}
