import { Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type BulkResult, BulkResults } from '../../components/bulk-results.tsx'
import { FormModal } from '../../components/form-modal.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { groupDigits, groupInSentence } from '../../lib/format.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { flagOf, needsNote, sumsOf } from './bulk-words.ts'
import { AFTER_WITHDRAWAL, bulkApprove, fetchReviews, type NamedWithdrawal, type Reviewed } from './withdrawals.api.ts'

type BulkApproveProps = { rows: readonly NamedWithdrawal[]; onResults: () => void; onClose: () => void }

const outcome = (status: NamedWithdrawal['status'] | undefined): string =>
  status === 'approved' ? 'It can be paid now.' : 'Your approval counts; another person is needed.'

/**
 * Approves several at once, with names, amounts and checks before
 * the eye; each keeps its own rules, so each has its own result.
 */
export const BulkApprove = ({ rows, onResults, onClose }: BulkApproveProps) => {
  const refresh = useRefresh()
  const [results, setResults] = useState<readonly BulkResult[] | null>(null)
  const ids = rows.map(({ id }) => id)
  const reviews = useQuery({ queryKey: ['withdrawals', 'reviews', ids], queryFn: () => fetchReviews(ids) })
  const reviewed = (id: string): Reviewed | undefined => reviews.data?.find((one) => one.id === id)
  const noted = ids.filter((id) => needsNote(reviewed(id))).length
  const state = useApiForm({
    initialValues: { note: '' },
    validate: { note: (note) => (noted > 0 && !note.trim() ? 'Say why you approve them all the same' : null) },
    submit: async ({ note }) => {
      const answer = await bulkApprove(ids, note.trim())
      setResults(answer.results.map((result) => ({ ...result, message: result.message ?? outcome(result.status) })))
      onResults()
      await refresh(...AFTER_WITHDRAWAL)
    },
  })
  if (results) {
    const names = new Map(
      rows.map(({ id, traderName, amount, currency }) => [
        id,
        `${groupDigits(amount)} ${currency} · ${traderName ?? 'Deleted trader'}`,
      ]),
    )
    return (
      <BulkResults
        title="Approvals"
        done="Approved by you"
        results={results}
        nameOf={(id) => names.get(id) ?? id}
        onClose={onClose}
      />
    )
  }
  return (
    <FormModal
      state={state}
      title={rows.length === 1 ? 'Approve this withdrawal' : `Approve ${rows.length} withdrawals`}
      submitLabel={rows.length === 1 ? 'Approve' : `Approve ${rows.length}`}
      size="lg"
      opened
      onClose={onClose}
    >
      <div className="bulk-sums">
        {sumsOf(rows).map(([currency, sum]) => (
          <Money key={currency} amount={sum} currency={currency} fw={600} />
        ))}
      </div>
      <Loaded query={reviews}>
        {() => (
          <>
            <ul className="rows bulk-rows" aria-label="What you approve">
              {rows.map((row) => {
                const flag = flagOf(reviewed(row.id))
                return (
                  <li key={row.id} className="row">
                    <div className="row-main">
                      <div className="ellipsis">{row.traderName ?? 'Deleted trader'}</div>
                      <div className="bulk-flag" data-tone={flag.tone}>
                        {groupInSentence(flag.text)}
                      </div>
                    </div>
                    <div className="row-side">
                      <Money amount={row.amount} currency={row.currency} />
                    </div>
                  </li>
                )
              })}
            </ul>
            {noted > 0 && (
              <Text size="sm" fw={600} className="bulk-flag" data-tone="wait">
                {noted} of {rows.length} {noted === 1 ? 'needs' : 'need'} a closer look and a note.
              </Text>
            )}
          </>
        )}
      </Loaded>
      <Textarea
        label="Note"
        description={noted > 0 ? 'Needed here; kept with each decision' : 'For colleagues; kept with each decision'}
        required={noted > 0}
        autosize
        minRows={2}
        maxRows={10}
        {...state.form.getInputProps('note')}
      />
      <Text size="xs" c="dimmed">
        Each is judged by its own rules. What you may not approve stays as it is and says why.
      </Text>
    </FormModal>
  )
}
