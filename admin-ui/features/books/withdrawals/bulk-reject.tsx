import { Checkbox, Text, Textarea } from '@mantine/core'
import { BulkForm, useBulkAct } from '../../../components/lists/bulk-form.tsx'
import { BulkReview } from '../../../components/lists/bulk-review.tsx'
import type { Asked } from '../../../components/lists/list-acts.tsx'
import { sendEach } from '../../../components/lists/send-in-groups.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { mayHaveBeenSent } from './review-words.ts'
import { type NamedWithdrawal, rejectWithdrawal } from './withdrawals.api.ts'
import { say } from './words.ts'

/** Returns whether a withdrawal can still be rejected. */
export const mayBeRejected = ({ status }: NamedWithdrawal): boolean => status === 'requested' || status === 'approved'

const nameRow = ({ amount, currency, traderName }: NamedWithdrawal): string =>
  `${groupDigits(amount)} ${currency} · ${shownName(traderName)}`

type BulkRejectProps = { asked: Asked<NamedWithdrawal>; onClose: () => void }

const useReject = ({ asked: { rows, settle }, onClose }: BulkRejectProps, lapsed: number) =>
  useBulkAct({
    initialValues: { detail: '', note: '', nothingSent: false },
    validate: {
      detail: required(say('withdrawals.reject.detail_required')),
      nothingSent: (confirmed) => (lapsed > 0 && !confirmed ? say('withdrawals.nothing_sent.required') : null),
    },
    send: ({ detail, note }, watch) =>
      sendEach(
        rows,
        async (row) => {
          await rejectWithdrawal(row, {
            detail: detail.trim(),
            ...(note.trim() && { note: note.trim() }),
            ...(mayHaveBeenSent(row) && { nothingSent: true }),
          })
          return { id: row.id, ok: true }
        },
        watch,
      ),
    resource: 'withdrawals',
    settle,
    done: (count) => say('withdrawals.reject.done_many', { count }),
    onClose,
  })

/** Rejects several withdrawals with one text for their clients; each is refused if somebody changed it meanwhile. */
export const BulkReject = (props: BulkRejectProps) => {
  const { rows } = props.asked
  const lapsed = rows.filter(mayHaveBeenSent).length
  const bulk = useReject(props, lapsed)
  const field = bulk.state.form.getInputProps
  const names = new Map(rows.map((row) => [row.id, nameRow(row)]))
  return (
    <BulkForm
      bulk={bulk}
      title={say('withdrawals.reject.title_many', { count: rows.length })}
      submitLabel={say('common.reject')}
      done={say('common.rejected')}
      getName={(id) => names.get(id) ?? id}
      danger
      size="lg"
      onClose={props.onClose}
    >
      <BulkReview label={say('withdrawals.reject.list_label')} rows={rows.map(toReviewed)} />
      <Text size="sm">{say('withdrawals.reject.about_many')}</Text>
      {lapsed > 0 && (
        <Checkbox
          label={say('withdrawals.nothing_sent.label')}
          description={say('withdrawals.nothing_sent.hint_many', { count: lapsed })}
          {...bulk.state.form.getInputProps('nothingSent', { type: 'checkbox' })}
        />
      )}
      <Textarea
        label={say('withdrawals.reject.detail')}
        description={say('withdrawals.reject.detail_hint')}
        autosize
        minRows={2}
        {...field('detail')}
      />
      <Textarea
        label={say('common.internal_note')}
        description={say('withdrawals.reject.note_hint')}
        autosize
        minRows={2}
        {...field('note')}
      />
    </BulkForm>
  )
}

const toReviewed = (row: NamedWithdrawal) => ({
  ...row,
  name: shownName(row.traderName),
  flag: mayHaveBeenSent(row)
    ? ({ text: say('withdrawals.queue.lapsed'), tone: 'bad' } as const)
    : ({ text: say('withdrawals.reject.frees'), tone: 'good' } as const),
})
