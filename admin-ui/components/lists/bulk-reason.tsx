import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { required } from '../../features/firm/auth/form-rules.ts'
import type { Resource } from '../../lib/api/stale-queries.ts'
import { BulkForm, useBulkAct } from './bulk-form.tsx'
import type { Asked } from './list-acts.tsx'
import { sendEach } from './send-in-groups.ts'

type BulkReasonProps<T> = {
  asked: Asked<T>
  title: string
  submitLabel: string
  resource: Resource
  reason: { label: string; description: string; missing: string }
  /** Acts on one row with the reason of all; a returned text is told beside its result. */
  act: (row: T, reason: string) => Promise<string | undefined>
  getName: (row: T) => string
  /** The result of a row that succeeded. */
  result: string
  done: (count: number) => string
  danger?: boolean
  /** Shows the rows before they are decided. */
  children: ReactNode
  onClose: () => void
}

/** Decides many rows one after another with one reason for all; the rules apply to each, so each has its result. */
export const BulkReason = <T extends { id: string }>(props: BulkReasonProps<T>) => {
  const { asked, resource, reason, act, getName, result, done, children, onClose, ...form } = props
  const bulk = useBulkAct({
    initialValues: { reason: '' },
    validate: { reason: required(reason.missing) },
    send: (values, watch) =>
      sendEach(
        asked.rows,
        async (row) => {
          const message = await act(row, values.reason.trim())
          return { id: row.id, ok: true, ...(message !== undefined && { message }) }
        },
        watch,
      ),
    resource,
    settle: asked.settle,
    done,
    onClose,
  })
  const names = new Map(asked.rows.map((row) => [row.id, getName(row)]))
  return (
    <BulkForm {...form} {...{ bulk, onClose }} done={result} getName={(id) => names.get(id) ?? id} size="lg">
      {children}
      <Textarea
        label={reason.label}
        description={reason.description}
        autosize
        minRows={2}
        maxRows={10}
        {...bulk.state.form.getInputProps('reason')}
      />
    </BulkForm>
  )
}
