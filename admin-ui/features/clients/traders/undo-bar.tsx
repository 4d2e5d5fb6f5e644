import { Alert, Button, CloseButton, Group } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { UNWATCHED } from '../../../components/lists/send-in-groups.ts'
import { errorText } from '../../../components/page/error-state.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { bulkEdit, type Undo } from './bulk.api.ts'
import { say } from './words.ts'

/** Undoes the last change of several clients, for exactly those that it changed. */
export const UndoBar = ({ undo, onDone }: { undo: Undo; onDone: () => void }) => {
  const refresh = useRefresh()
  const count = undo.reduce((sum, { ids }) => sum + ids.length, 0)
  const run = useMutation({
    mutationFn: async () => {
      const answers = await Promise.all(undo.map(({ ids, changes }) => bulkEdit(ids, changes, UNWATCHED)))
      return answers.flat().filter(({ ok }) => !ok).length
    },
    onSuccess: async (failed) => {
      notify(say('bulk.undo.done', { count: count - failed, failed }))
      onDone()
      await refresh('traders')
    },
  })
  return (
    <Alert color="gray" variant="light" mb="md" py="xs">
      <Group justify="space-between" gap="sm">
        <span role="status">
          {say('bulk.undo.text', { count })} {run.error ? errorText(run.error) : ''}
        </span>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowBackUp size={14} />}
            loading={run.isPending}
            onClick={() => run.mutate()}
          >
            {say('bulk.undo.undo')}
          </Button>
          <CloseButton size="sm" aria-label={say('bulk.undo.keep')} onClick={onDone} />
        </Group>
      </Group>
    </Alert>
  )
}
