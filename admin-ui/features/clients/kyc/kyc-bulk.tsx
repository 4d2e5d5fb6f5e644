import { Text } from '@mantine/core'
import { useState } from 'react'
import { ReasonForm } from '../../../components/forms/reason-form.tsx'
import { BulkResults } from '../../../components/lists/bulk-results.tsx'
import type { Settle } from '../../../components/lists/list-acts.tsx'
import type { BulkResult } from '../../../components/lists/send-in-groups.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { shownName } from '../traders/trader-names.ts'
import { type BulkAnswer, bulkApproveKyc, bulkRejectKyc, type NamedSubmission } from './kyc.api.ts'
import { RejectForm } from './reject-form.tsx'
import { isWaiting } from './waiting.ts'
import { say } from './words.ts'

type KycBulkProps = {
  kind: 'approve' | 'reject'
  rows: readonly NamedSubmission[]
  onResults: Settle
  onClose: () => void
}

/** Decides the submissions of several clients at once, and shows the result of each. */
export const KycBulk = ({ kind, rows, onResults, onClose }: KycBulkProps) => {
  const refresh = useRefresh()
  const [results, setResults] = useState<readonly BulkResult[] | null>(null)
  // Decided rows are left out: the server decides what a client has waiting, which would be another submission.
  const waiting = rows.filter(isWaiting)
  const names = new Map(waiting.map(({ traderId, traderName }) => [traderId, shownName(traderName)]))
  const ids = [...names.keys()]
  const keep = async (answer: BulkAnswer): Promise<void> => {
    setResults(answer.results)
    // The results are of clients, the chosen rows are their submissions.
    const byTrader = new Map(waiting.map(({ id, traderId }) => [traderId, id]))
    onResults(answer.results.map((result) => ({ ...result, id: byTrader.get(result.id) ?? result.id })))
    await refresh('kyc')
  }
  const nothing = (): void => undefined
  const people = ids.length === 1 ? say('kyc.bulk.one_client') : say('kyc.bulk.clients', { count: ids.length })
  if (results) {
    return (
      <BulkResults
        title={kind === 'approve' ? say('common.approvals') : say('kyc.rejections')}
        done={kind === 'approve' ? say('kyc.approved') : say('common.rejected')}
        results={results}
        getName={(id) => names.get(id) ?? id}
        onClose={onClose}
      />
    )
  }
  if (kind === 'approve') {
    return (
      <ReasonForm
        title={say('kyc.bulk.approve', { people })}
        submitLabel={say('common.approve')}
        label={say('common.note')}
        description={say('common.note.hint')}
        submit={async (note) => keep(await bulkApproveKyc(ids, note))}
        onDone={nothing}
        onClose={onClose}
      >
        <Text size="sm">{say('kyc.bulk.approve.about')}</Text>
      </ReasonForm>
    )
  }
  return (
    <RejectForm
      title={say('kyc.bulk.reject', { people })}
      submit={async (rejection) => keep(await bulkRejectKyc(ids, rejection))}
      onDone={nothing}
      onClose={onClose}
    />
  )
}
