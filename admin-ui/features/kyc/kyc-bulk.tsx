import { Text } from '@mantine/core'
import { useState } from 'react'
import { type BulkResult, BulkResults } from '../../components/bulk-results.tsx'
import { ReasonForm } from '../../components/reason-form.tsx'
import { useRefresh } from '../../lib/use-record.ts'
import { shownName } from '../traders/trader-names.ts'
import { type BulkAnswer, bulkApproveKyc, bulkRejectKyc, type NamedSubmission } from './kyc.api.ts'
import { RejectForm } from './reject-form.tsx'
import { isWaiting } from './waiting.ts'

type KycBulkProps = {
  kind: 'approve' | 'reject'
  rows: readonly NamedSubmission[]
  onResults: () => void
  onClose: () => void
}

/** Decides several clients at once; each has its own result. */
export const KycBulk = ({ kind, rows, onResults, onClose }: KycBulkProps) => {
  const refresh = useRefresh()
  const [results, setResults] = useState<readonly BulkResult[] | null>(null)
  // The server takes traders and decides what each has waiting: one chosen by a decided row would be decided unseen.
  const waiting = rows.filter(isWaiting)
  const names = new Map(waiting.map(({ traderId, traderName }) => [traderId, shownName(traderName)]))
  const ids = [...names.keys()]
  const keep = async (answer: BulkAnswer): Promise<void> => {
    setResults(answer.results)
    onResults()
    await refresh('kyc')
  }
  const nothing = (): void => undefined
  const people = ids.length === 1 ? 'one client' : `${ids.length} clients`
  if (results) {
    return (
      <BulkResults
        title={kind === 'approve' ? 'Approvals' : 'Rejections'}
        done={kind === 'approve' ? 'Approved' : 'Rejected'}
        results={results}
        nameOf={(id) => names.get(id) ?? id}
        onClose={onClose}
      />
    )
  }
  if (kind === 'approve') {
    return (
      <ReasonForm
        title={`Approve the papers of ${people}`}
        submitLabel="Approve"
        label="Note"
        description="For colleagues"
        submit={async (note) => keep(await bulkApproveKyc(ids, note))}
        onDone={nothing}
        onClose={onClose}
      >
        <Text size="sm">Each gets the level that was asked for. Make sure that somebody has looked at the papers.</Text>
      </ReasonForm>
    )
  }
  return (
    <RejectForm
      title={`Reject the papers of ${people}`}
      submit={async (rejection) => keep(await bulkRejectKyc(ids, rejection))}
      onDone={nothing}
      onClose={onClose}
    />
  )
}
