import { Alert, Button, CloseButton, Group } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { notify } from '../../lib/api/notify.tsx'
import type { Resource } from '../../lib/api/stale-queries.ts'
import { say } from '../../lib/text/words.ts'
import { useFormGuard } from '../forms/discard-guard.tsx'
import { errorText } from '../page/error-state.tsx'
import type { BulkResult, Watch } from './send-in-groups.ts'
import { useBulk } from './use-bulk.tsx'

type UndoBarProps<R extends BulkResult> = {
  /** The sentence that says what was done. */
  text: string
  resource: Resource
  /** Undoes the change row by row, except in rows that a colleague has changed since. */
  undo: (watch: Watch) => Promise<R[]>
  /** Returns a sentence with the result. */
  report: (results: readonly R[]) => string
  onDone: () => void
}

/** Offers to undo the last change of many rows, until it is undone or the reader keeps the change. */
export const UndoBar = <R extends BulkResult>({ text, resource, undo, report, onDone }: UndoBarProps<R>) => {
  const { state, progress } = useBulk({
    initialValues: {},
    send: (_values, watch) => undo(watch),
    resource,
    onResults: (results) => {
      notify(report(results))
      onDone()
    },
  })
  const { question } = useFormGuard(state, onDone)
  return (
    <Alert color="gray" variant="light" mb="md" py="xs">
      <form onSubmit={state.onSubmit} noValidate>
        <Group justify="space-between" gap="sm">
          <span role="status">
            {text} {state.error ? errorText(state.error) : ''}
          </span>
          <Group gap="xs">
            <Button
              type="submit"
              size="xs"
              variant="default"
              leftSection={<IconArrowBackUp size={14} />}
              loading={state.pending}
            >
              {say('parts.undo')}
            </Button>
            <CloseButton size="sm" aria-label={say('parts.undo_keep')} disabled={state.pending} onClick={onDone} />
          </Group>
        </Group>
        {progress}
      </form>
      {question}
    </Alert>
  )
}
