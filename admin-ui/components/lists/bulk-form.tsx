import type { ReactNode } from 'react'
import { notify } from '../../lib/api/notify.tsx'
import { say } from '../../lib/text/words.ts'
import { FormModal } from '../forms/form-modal.tsx'
import { BulkResults } from './bulk-results.tsx'
import type { Settle } from './list-acts.tsx'
import type { BulkResult } from './send-in-groups.ts'
import { type Bulk, type BulkInput, useBulk } from './use-bulk.tsx'

type BulkActInput<V extends Record<string, unknown>, R extends readonly BulkResult[]> = Omit<
  BulkInput<V, R>,
  'onResults'
> & {
  settle: Settle
  /** Says what was done, if nothing failed; without it the act offers to be taken back, which says it. */
  done?: (count: number) => string
  onDone?: (results: R, values: V) => void
  onClose: () => void
}

/** Sets up an act on many rows: rows that failed stay chosen, and its form closes if none did. */
export const useBulkAct = <V extends Record<string, unknown>, R extends readonly BulkResult[]>({
  settle,
  done,
  onDone,
  onClose,
  ...input
}: BulkActInput<V, R>): Bulk<V, R> =>
  useBulk<V, R>({
    ...input,
    onResults: (results, values) => {
      settle(results)
      onDone?.(results, values)
      // A row may say more than that it succeeded, such as that another person has to approve it too.
      if (results.some(({ ok, message }) => !ok || message !== undefined)) return
      const unchanged = results.filter(({ isUnchanged }) => isUnchanged).length
      if (done && unchanged < results.length) notify(done(results.length - unchanged))
      if (unchanged > 0) notify(say('parts.bulk.unchanged.count', { count: unchanged }))
      onClose()
    },
  })

type BulkFormProps<V extends Record<string, unknown>> = {
  bulk: Bulk<V, readonly BulkResult[]>
  title: string
  submitLabel: string
  /** The result of a row that succeeded: “Rejected”. */
  done: string
  getName: (id: string) => string
  danger?: boolean
  size?: string
  children: ReactNode
  onClose: () => void
}

/** Draws the form of an act on many rows, how far it is, and then what failed and why. */
export const BulkForm = <V extends Record<string, unknown>>(props: BulkFormProps<V>) => {
  const { bulk, title, submitLabel, done, getName, danger = false, size, children, onClose } = props
  const { state, results, progress } = bulk
  if (results) return <BulkResults {...{ title, done, results, getName, onClose }} />
  return (
    <FormModal {...{ state, title, submitLabel, danger, onClose }} {...(size && { size })} opened>
      {children}
      {progress}
    </FormModal>
  )
}
