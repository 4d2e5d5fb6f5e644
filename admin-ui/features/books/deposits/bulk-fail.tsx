import { Text } from '@mantine/core'
import { BulkReason } from '../../../components/lists/bulk-reason.tsx'
import { BulkReview } from '../../../components/lists/bulk-review.tsx'
import type { Asked } from '../../../components/lists/list-acts.tsx'
import { groupDigits } from '../../../lib/text/format.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import { METHOD_WORDS } from './deposit-columns.tsx'
import { failDeposit, type NamedDeposit } from './deposits.api.ts'
import { say } from './words.ts'

/** Marks several deposits as failed with one reason that their clients read. */
export const BulkFail = ({ asked, onClose }: { asked: Asked<NamedDeposit>; onClose: () => void }) => {
  const count = asked.rows.length
  return (
    <BulkReason
      asked={asked}
      resource="deposits"
      title={say('deposits.fail.title_many', { count })}
      submitLabel={say('deposits.fail.title')}
      reason={{
        label: say('common.reason'),
        description: say('deposits.fail.reason_hint'),
        missing: say('deposits.fail.reason_required'),
      }}
      act={async (row, reason) => {
        await failDeposit(row, reason)
        return undefined
      }}
      getName={({ amount, currency, traderName }) => `${groupDigits(amount)} ${currency} · ${shownName(traderName)}`}
      result={say('common.failed')}
      done={(failed) => say('deposits.fail.done_many', { count: failed })}
      danger
      onClose={onClose}
    >
      <BulkReview
        label={say('deposits.fail.list_label')}
        rows={asked.rows.map((row) => ({
          ...row,
          name: shownName(row.traderName),
          flag: { text: METHOD_WORDS[row.method], tone: 'good' },
        }))}
      />
      <Text size="sm">{say('deposits.fail.about_many')}</Text>
    </BulkReason>
  )
}
