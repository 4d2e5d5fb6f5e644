import { Alert, Button, CloseButton, Group } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useDiscardGuard } from '../../../components/forms/discard-guard.tsx'
import { useBulk } from '../../../components/lists/use-bulk.tsx'
import { errorText } from '../../../components/page/error-state.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { type Undo, undoEdit } from './bulk.api.ts'
import { say } from './words.ts'

/** Undoes the last change of several clients, for those that it changed and nobody has changed since. */
export const UndoBar = ({ undo, onDone }: { undo: Undo; onDone: () => void }) => {
  const count = undo.length
  const { state, progress } = useBulk({
    initialValues: {},
    send: (_values, watch) => undoEdit(undo, watch),
    resource: 'traders',
    onResults: (results) => {
      const failed = results.filter(({ ok }) => !ok)
      const changed = failed.filter((result) => 'isChanged' in result).length
      notify(say('bulk.undo.done', { count: count - failed.length, changed, failed: failed.length - changed }))
      onDone()
    },
  })
  const { question } = useDiscardGuard({
    opened: true,
    isDirty: state.isDirty,
    sending: state.pending,
    isSending: state.isSending,
    unanswered: state.unanswered,
    stopsOnLeave: true,
    onClose: onDone,
  })
  return (
    <Alert color="gray" variant="light" mb="md" py="xs">
      <form onSubmit={state.onSubmit} noValidate>
        <Group justify="space-between" gap="sm">
          <span role="status">
            {say('bulk.undo.text', { count })} {state.error ? errorText(state.error) : ''}
          </span>
          <Group gap="xs">
            <Button
              type="submit"
              size="xs"
              variant="default"
              leftSection={<IconArrowBackUp size={14} />}
              loading={state.pending}
            >
              {say('bulk.undo.undo')}
            </Button>
            <CloseButton size="sm" aria-label={say('bulk.undo.keep')} disabled={state.pending} onClick={onDone} />
          </Group>
        </Group>
        {progress}
      </form>
      {question}
    </Alert>
  )
}
