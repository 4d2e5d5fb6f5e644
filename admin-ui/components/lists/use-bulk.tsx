import { Button, Group, Progress, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { notify, notifyFailure } from '../../lib/api/notify.tsx'
import type { Resource } from '../../lib/api/stale-queries.ts'
import { useRefresh } from '../../lib/api/use-record.ts'
import { type ApiForm, type ApiFormInput, useApiForm } from '../../lib/forms/use-api-form.ts'
import { say } from '../../lib/text/words.ts'
import type { BulkResult, Watch } from './send-in-groups.ts'

export type BulkInput<V extends Record<string, unknown>, R> = Pick<ApiFormInput<V, R>, 'initialValues' | 'validate'> & {
  send: (values: V, watch: Watch) => Promise<R>
  /** The kind of records that are read again afterwards. */
  resource: Resource
  onResults: (results: R, values: V) => void
}

export type Bulk<V extends Record<string, unknown>, R> = {
  state: ApiForm<V>
  /** The result of each row; null until the form was sent. */
  results: R | null
  /** How far the run is, with the button that stops it. */
  progress: ReactNode
}

/** Sets up the form of an action on many rows, and keeps the result of each row after sending. */
export function useBulk<V extends Record<string, unknown>, R extends readonly BulkResult[]>({
  send,
  resource,
  onResults,
  ...form
}: BulkInput<V, R>): Bulk<V, R> {
  const refresh = useRefresh()
  const [results, setResults] = useState<R | null>(null)
  const [shown, setShown] = useState<{ done: number; all: number } | null>(null)
  const stopped = useRef(false)
  const left = useRef(false)
  const stop = (): void => {
    stopped.current = true
  }
  // A run never continues unseen: leaving the page stops it, and a notice says how far it came.
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
      stopped.current = true
    }
  }, [])
  const state = useApiForm({
    ...form,
    submit: async (values: V) => {
      stopped.current = false
      try {
        const answer = await send(values, {
          onProgress: (done, all) => setShown({ done, all }),
          isStopped: () => stopped.current,
        })
        setResults(answer)
        onResults(answer, values)
        if (left.current) tellEnd(answer)
        await refresh(resource)
      } finally {
        setShown(null)
      }
    },
  })
  const progress = shown && shown.done < shown.all && <BulkProgress {...shown} onStop={stop} />
  return { state: { ...state, stopsOnLeave: true }, results, progress }
}

/** Tells a reader who has left the page how many rows are done. */
function tellEnd(results: readonly BulkResult[]): void {
  const done = results.filter(({ ok }) => ok).length
  if (done === results.length) notify(say('parts.bulk.done', { count: done }))
  else notifyFailure(say('parts.bulk.left', { done, all: results.length }))
}

type BulkProgressProps = { done: number; all: number; onStop: () => void }

const BulkProgress = ({ done, all, onStop }: BulkProgressProps) => (
  <Group gap="sm" wrap="nowrap">
    <Progress value={(100 * done) / all} aria-label={say('parts.bulk.progress', { done, all })} flex={1} />
    <Text size="sm" role="status">
      {say('parts.bulk.progress', { done, all })}
    </Text>
    <Button size="xs" variant="default" onClick={onStop}>
      {say('parts.bulk.stop')}
    </Button>
  </Group>
)
