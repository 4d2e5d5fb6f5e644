import { Alert, Button, CloseButton, Group } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../../components/page/error-state.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { type Undo, undoEdit } from './bulk.api.ts'
import { say } from './words.ts'

/** Undoes the last change of several clients, for those that it changed and nobody has changed since. */
export const UndoBar = ({ undo, onDone }: { undo: Undo; onDone: () => void }) => {
  const refresh = useRefresh()
  const [progress, setProgress] = useState<string | null>(null)
  const count = undo.length
  const run = useMutation({
    mutationFn: () => undoEdit(undo, (done, all) => setProgress(say('parts.bulk.progress', { done, all }))),
    onSuccess: async (results) => {
      const failed = results.filter(({ ok }) => !ok)
      const changed = failed.filter((result) => 'isChanged' in result).length
      const restored = count - failed.length
      notify(say('bulk.undo.done', { count: restored, changed, failed: failed.length - changed }))
      onDone()
      await refresh('traders')
    },
  })
  return (
    <Alert color="gray" variant="light" mb="md" py="xs">
      <Group justify="space-between" gap="sm">
        <span role="status">
          {(run.isPending && progress) || say('bulk.undo.text', { count })} {run.error ? errorText(run.error) : ''}
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
