import { useQuery } from '@tanstack/react-query'
import { RowAct } from '../../../components/lists/row-action.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { gathered } from '../../../lib/api/batched-reads.ts'
import { useMe } from '../../../lib/api/session.ts'
import { queueFlag } from './bulk-words.ts'
import { liveVotes } from './review-words.ts'
import { fetchReviews, type NamedWithdrawal } from './withdrawals.api.ts'
import { say } from './words.ts'

const readReview = gathered(fetchReviews)

/** The review of a row of the queue; rows that are drawn together are asked for together. */
const useReview = ({ id, version }: Pick<NamedWithdrawal, 'id' | 'version'>) =>
  useQuery({
    queryKey: ['withdrawals', 'review', id, version],
    queryFn: async () => (await readReview(id)) ?? null,
    staleTime: 60_000,
    // A colleague's vote does not change the withdrawal's own row.
    refetchInterval: 60_000,
  })

/** How many have approved of how many who must, and whether the reader is one of them. */
export const QueuePolicy = ({ row }: { row: NamedWithdrawal }) => {
  const { id } = useMe()
  const review = useReview(row).data?.review
  if (!review) return orDash(null)
  const votes = liveVotes(review)
  const mine = votes.some(({ userId }) => userId === id)
  return (
    <>
      {say('withdrawals.queue.votes', { given: votes.length, needed: review.approvalsNeeded })}
      {mine && <span className="dim"> {say('withdrawals.queue.mine')}</span>}
    </>
  )
}

/** What is not fine about a row of the queue, in words. */
export const QueueFlags = ({ row }: { row: NamedWithdrawal }) => {
  const { id } = useMe()
  const { data } = useReview(row)
  if (!data?.review) return orDash(null)
  // Who has approved already knows: what is not fine matters to the others.
  const mine = liveVotes(data.review).some(({ userId }) => userId === id)
  const flag = mine ? { text: say('withdrawals.queue.waits_for_another'), tone: 'good' } : queueFlag(data)
  const { text } = flag
  return (
    <span className="bulk-flag" data-tone={flag.tone} title={text}>
      {text}
    </span>
  )
}

/** Approves the row, where the reader may. The dialog says what is not fine. */
export const QueueAct = ({ row, onApprove }: { row: NamedWithdrawal; onApprove: () => void }) => {
  const { data } = useReview(row)
  if (!data?.review?.viewer.mayApprove) return null
  return <RowAct onClick={onApprove}>{say('withdrawals.queue.approve')}</RowAct>
}
