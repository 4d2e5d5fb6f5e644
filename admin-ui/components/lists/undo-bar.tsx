import { Alert, Button, CloseButton, Group } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { notify, notifyFailure } from '../../lib/api/notify.tsx'
import type { Resource } from '../../lib/api/stale-queries.ts'
import { offerUndo } from '../../lib/api/undo-stack.ts'
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
  /** Returns the name of a row, for those that could not be undone. */
  getName: (id: string) => string
  /** The button's label, for a change that is reversed but leaves traces. */
  label?: string
  onDone: () => void
}

/** At most this many rows that stay as they are get named in the notice. */
const MOST_NAMED = 10

/** Names the rows that stay as they are, in a notice that stays until it is closed. */
function tellLeft(names: readonly string[]): void {
  if (names.length === 0) return
  const more = Math.max(0, names.length - MOST_NAMED)
  notifyFailure(say('parts.undo_left', { names: names.slice(0, MOST_NAMED).join(', '), more }))
}

/** Offers to undo the last change of many rows, until it is undone or the reader keeps the change. */
export const UndoBar = <R extends BulkResult>(props: UndoBarProps<R>) => {
  const { text, resource, undo, report, getName, label = say('parts.undo'), onDone } = props
  const { state, progress } = useBulk({
    initialValues: {},
    send: (_values, watch) => undo(watch),
    resource,
    onResults: (results) => {
      notify(report(results))
      tellLeft(results.flatMap(({ id, ok }) => (ok ? [] : [getName(id)])))
      onDone()
    },
  })
  const { question } = useFormGuard(state, onDone)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const isShown = (): boolean => form.current?.isConnected ?? false
    offerUndo({ isShown, press: () => form.current?.requestSubmit() })
  }, [])
  return (
    <Alert color="gray" variant="light" mb="md" py="xs">
      <form ref={form} onSubmit={state.onSubmit} noValidate>
        <Group justify="space-between" gap="sm">
          <span role="status">
            {text} {state.error ? errorText(state.error) : ''}
          </span>
          <Group gap="xs">
            <Button
              type="submit"
              title={say('parts.undo_key')}
              size="xs"
              variant="default"
              leftSection={<IconArrowBackUp size={14} />}
              loading={state.pending}
            >
              {label}
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
