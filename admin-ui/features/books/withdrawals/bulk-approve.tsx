import { Modal, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { BulkResults } from '../../../components/lists/bulk-results.tsx'
import { BulkReview } from '../../../components/lists/bulk-review.tsx'
import type { Settle } from '../../../components/lists/list-acts.tsx'
import type { BulkResult } from '../../../components/lists/send-in-groups.ts'
import { Loaded } from '../../../components/page/loaded.tsx'
import { notifyWithLink } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import { describeApproved } from './approved-words.ts'
import { needsNote, pickFlag } from './bulk-words.ts'
import { bulkApprove, fetchReviews, type NamedWithdrawal } from './withdrawals.api.ts'
import { say } from './words.ts'

type BulkApproveProps = { rows: readonly NamedWithdrawal[]; onResults: Settle; onClose: () => void }

const outcome = (status: NamedWithdrawal['status'] | undefined): string =>
  status === 'approved' ? say('withdrawals.approve.payable') : say('withdrawals.approve.counted')

const formatTitle = ({ length }: readonly NamedWithdrawal[]): string =>
  length === 1 ? say('withdrawals.approve.title') : say('withdrawals.approve.title_many', { length })

/**
 * Approves several withdrawals after showing their names, amounts and checks; the button appears only when all checks
 * have been read. The rules apply to each withdrawal, so each has its result.
 */
export const BulkApprove = (props: BulkApproveProps) => {
  const ids = props.rows.map(({ id }) => id)
  const reviews = useQuery({
    queryKey: ['withdrawals', 'reviews', ids],
    queryFn: () => fetchReviews(ids),
    // Checks that were read for an earlier dialog may be out of date.
    gcTime: 0,
  })
  if (reviews.data) return <ApproveForm {...props} reviews={reviews.data} />
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={formatTitle(props.rows)}
      size="lg"
      closeButtonProps={{ 'aria-label': say('common.close') }}
    >
      <Loaded query={reviews}>{() => null}</Loaded>
    </Modal>
  )
}

type Reviews = Awaited<ReturnType<typeof fetchReviews>>
type ApproveFormProps = BulkApproveProps & { reviews: Reviews }

/** Sets up the form of the note, and keeps the result of each withdrawal after it was sent. */
const useApproval = (ids: string[], needed: boolean, { rows, onResults, onClose }: BulkApproveProps) => {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const [results, setResults] = useState<readonly BulkResult[] | null>(null)
  const state = useApiForm({
    initialValues: { note: '' },
    validate: { note: (note) => (needed && !note.trim() ? say('withdrawals.approve.note_required_many') : null) },
    submit: async ({ note }) => {
      const answer = await bulkApprove(ids, note.trim())
      const told = answer.results.map((result) => ({ ...result, message: result.message ?? outcome(result.status) }))
      await refresh('withdrawals')
      const [only, ...others] = told
      // A single success needs no table of results.
      if (only?.ok && others.length === 0) {
        const row = rows.find(({ id }) => id === only.id)
        const view = (): void => void navigate({ to: '/withdrawals/$id', params: { id: only.id } })
        if (row) notifyWithLink(describeApproved(row, only.status), view)
        onClose()
      } else setResults(told)
      onResults(answer.results)
    },
  })
  return { state, results }
}

const ApproveForm = ({ reviews, ...props }: ApproveFormProps) => {
  const { rows, onClose } = props
  const reviewed = new Map(reviews.map((one) => [one.id, one]))
  const shown = rows.filter(({ id }) => reviewed.has(id))
  const noted = reviews.filter(needsNote).length
  const ids = shown.map(({ id }) => id)
  const { state, results } = useApproval(ids, noted > 0, props)
  if (results) return <Approvals rows={rows} results={results} onClose={onClose} />
  return (
    <FormModal
      state={state}
      title={formatTitle(shown)}
      submitLabel={
        shown.length === 1
          ? say('withdrawals.queue.approve')
          : say('withdrawals.approve.submit_count', { count: shown.length })
      }
      size="lg"
      opened
      onClose={onClose}
    >
      <BulkReview
        label={say('withdrawals.approve.list_label')}
        rows={shown.map((row) => ({ ...row, name: shownName(row.traderName), flag: pickFlag(reviewed.get(row.id)) }))}
      />
      {noted > 0 && (
        <Text size="sm" fw={600} className="bulk-flag" data-tone="wait">
          {say('withdrawals.approve.noted', { noted, count: shown.length })}
        </Text>
      )}
      <Textarea
        label={say('common.note')}
        description={
          noted > 0 ? say('withdrawals.approve.note_hint_needed_many') : say('withdrawals.approve.note_hint_many')
        }
        required={noted > 0}
        autosize
        minRows={2}
        maxRows={10}
        {...state.form.getInputProps('note')}
      />
      <Text size="xs" c="dimmed">
        {say('withdrawals.approve.about_many')}
      </Text>
    </FormModal>
  )
}

type ApprovalsProps = Pick<BulkApproveProps, 'rows' | 'onClose'> & { results: readonly BulkResult[] }

/** Shows the result of each withdrawal with its client and amount, or with its id if it has left the list since. */
const Approvals = ({ rows, ...rest }: ApprovalsProps) => {
  const getName = (id: string): string => {
    const row = rows.find((one) => one.id === id)
    return row ? `${groupDigits(row.amount)} ${row.currency} · ${shownName(row.traderName)}` : id
  }
  return (
    <BulkResults
      title={say('withdrawals.queue.policy')}
      done={say('withdrawals.approve.done_label')}
      getName={getName}
      {...rest}
    />
  )
}
