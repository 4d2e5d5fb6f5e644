import { Text } from '@mantine/core'
import { useState } from 'react'
import { type BulkResult, BulkResults } from '../../components/bulk-results.tsx'
import { ReasonForm } from '../../components/reason-form.tsx'
import { groupDigits } from '../../lib/format.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { bulkApprove, type NamedWithdrawal } from './withdrawals.api.ts'

type BulkApproveProps = { rows: readonly NamedWithdrawal[]; onClose: () => void }

const outcome = (status: NamedWithdrawal['status'] | undefined): string =>
  status === 'approved' ? 'It can be paid now.' : 'Your approval counts; another person is needed.'

/** Approves several at once; each keeps its own rules, so each has its own result. */
export const BulkApprove = ({ rows, onClose }: BulkApproveProps) => {
  const refresh = useRefresh()
  const [results, setResults] = useState<readonly BulkResult[] | null>(null)
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
    <ReasonForm
      title={rows.length === 1 ? 'Approve this withdrawal' : `Approve ${rows.length} withdrawals`}
      submitLabel="Approve"
      label="Note"
      description="For colleagues; kept with each decision"
      submit={async (note) => {
        const answer = await bulkApprove(
          rows.map(({ id }) => id),
          note,
        )
        setResults(answer.results.map((result) => ({ ...result, message: result.message ?? outcome(result.status) })))
        await refresh('withdrawals', 'wallets', 'summary')
      }}
      onDone={() => undefined}
      onClose={onClose}
    >
      <Text size="sm">
        Each is judged by its own rules and checks. What you may not approve, or what is stopped, stays as it is and
        says why.
      </Text>
    </ReasonForm>
  )
}
