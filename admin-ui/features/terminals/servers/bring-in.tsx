import { Checkbox, Group, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { ErrorState } from '../../../components/page/error-state.tsx'
import { useDialogForm } from '../../../lib/forms/use-dialog-form.ts'
import { bringIn, countNewcomers, type Newcomers, type Server } from './servers.api.ts'
import { say } from './words.ts'

type BringInProps = { server: Server; onClose: () => void; onMade: (importId: string) => void }

/** Chooses by group whose clients come in from a server, as a dry run counted them, and makes the import. */
export const BringIn = ({ server: { id, name }, onClose, onMade }: BringInProps) => {
  const counts = useQuery({
    queryKey: ['platforms-newcomers', id],
    queryFn: () => countNewcomers(id),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const all = counts.data?.groups ?? []
  const none: string[] = []
  const { form, dialog } = useDialogForm({
    // what is left out is kept, so that the form begins unchanged
    initialValues: { leftOut: none },
    submit: ({ leftOut }) => bringIn(id, leftOut.length === 0 ? undefined : listChosen(all, leftOut)),
    done: say('terminals.bring.made'),
    reads: 'imports',
    onClose,
    onDone: onMade,
  })
  const { leftOut } = form.values
  const chosen = all.filter(({ group }) => !leftOut.includes(group))
  return (
    <FormDrawer
      {...dialog}
      title={say('terminals.bring.title', { name })}
      submitLabel={say('terminals.bring.submit')}
      isBarred={chosen.length === 0}
    >
      <Text size="sm" c="dimmed">
        {say('terminals.bring.about')}
      </Text>
      {counts.isFetching && (
        <Group gap="sm" role="status">
          <Loader size="sm" />
          <Text size="sm">{say('terminals.test.asking')}</Text>
        </Group>
      )}
      {counts.isError && !counts.isFetching && <ErrorState error={counts.error} retry={() => void counts.refetch()} />}
      {counts.data && all.length === 0 && (
        <EmptyState title={say('terminals.bring.none_title')}>{say('terminals.bring.none')}</EmptyState>
      )}
      {all.length > 0 && (
        <GroupChoice all={all} chosen={chosen} onChange={(left) => form.setFieldValue('leftOut', left)} />
      )}
    </FormDrawer>
  )
}

type OfGroup = Newcomers['groups'][number]
const listChosen = (all: readonly OfGroup[], leftOut: readonly string[]): string[] =>
  all.map(({ group }) => group).filter((group) => !leftOut.includes(group))
const sum = (rows: readonly OfGroup[], key: 'logins' | 'withoutEmail'): number =>
  rows.reduce((total, row) => total + row[key], 0)

type GroupChoiceProps = {
  all: readonly OfGroup[]
  chosen: readonly OfGroup[]
  onChange: (leftOut: string[]) => void
}

const GroupChoice = ({ all, chosen, onChange }: GroupChoiceProps) => {
  const bare = sum(chosen, 'withoutEmail')
  return (
    <>
      <Checkbox.Group
        label={say('terminals.bring.groups')}
        value={chosen.map(({ group }) => group)}
        onChange={(next) => onChange(all.map(({ group }) => group).filter((group) => !next.includes(group)))}
      >
        <Stack gap={8} mt={6}>
          {all.map(({ group, logins, clients, withoutEmail }) => (
            <Checkbox
              key={group}
              value={group}
              label={<span className="masks">{group}</span>}
              description={[
                say('terminals.bring.logins', { count: logins }),
                say('terminals.bring.clients', { count: clients }),
                withoutEmail > 0 && say('terminals.bring.bare', { count: withoutEmail }),
              ]
                .filter(Boolean)
                .join(' · ')}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Text size="sm" role="status">
        {say('terminals.bring.sum', { count: sum(chosen, 'logins') - bare })}
        {bare > 0 && ` ${say('terminals.bring.sum_bare', { count: bare })}`}
      </Text>
    </>
  )
}
