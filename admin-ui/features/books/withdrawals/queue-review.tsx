import { useQuery } from '@tanstack/react-query'
import { RowAct } from '../../../components/lists/row-action.tsx'
import { LateValue } from '../../../components/show/late-value.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { batchReads } from '../../../lib/api/batched-reads.ts'
import { useMe } from '../../../lib/api/session.ts'
import type { LoadedCell } from '../../../lib/csv/list-csv.ts'
import { queueFlag } from './bulk-words.ts'
import { liveVotes } from './review-words.ts'
import { fetchReviews, type NamedWithdrawal, type Review, type Reviewed } from './withdrawals.api.ts'
import { say } from './words.ts'

const readReview = batchReads(fetchReviews)

/** Makes cells of the reviews of withdrawals that wait, which only the queue shows. */
const loadReviews = (tell: (one: Reviewed & { review: Review }) => string): LoadedCell => ({
  load: async (rows) => {
    const ids = rows.flatMap(({ id, status }) => (id && status === 'requested' ? [id] : []))
    const found = await Promise.all(ids.map((id) => readReview(id)))
    const told = new Map(
      found.flatMap((one) => (one?.review ? [[one.id, tell({ ...one, review: one.review })] as const] : [])),
    )
    return ({ id = '' }) => told.get(id) ?? ''
  },
})
export const POLICY_CELL = loadReviews(({ review }) =>
  say('withdrawals.queue.votes', { given: liveVotes(review).length, needed: review.approvalsNeeded }),
)
export const FLAGS_CELL = loadReviews((one) => queueFlag(one).text)

/** Reads the review of a row of the queue; the reviews of rows that are drawn together are read together. */
const useReview = ({ id, version }: Pick<NamedWithdrawal, 'id' | 'version'>) =>
  useQuery({
    queryKey: ['withdrawals', 'review', id, version],
    queryFn: async ({ signal }) => (await readReview(id, signal)) ?? null,
    staleTime: 60_000,
    // A colleague's approval does not change the row of the withdrawal, so its review is read again.
    refetchInterval: 60_000,
  })

/** Shows how many of the required approvals were given, and whether the viewer gave one. */
export const QueuePolicy = ({ row }: { row: NamedWithdrawal }) => {
  const { id } = useMe()
  const { data, isError } = useReview(row)
  if (data === undefined) return <LateValue isError={isError} />
  const review = data?.review
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

/** Says what is not fine about a row of the queue. */
export const QueueFlags = ({ row }: { row: NamedWithdrawal }) => {
  const { id } = useMe()
  const { data, isError } = useReview(row)
  if (data === undefined) return <LateValue isError={isError} />
  if (!data?.review) return orDash(null)
  // A viewer who has approved knows what is not fine; it matters to the others.
  const mine = liveVotes(data.review).some(({ userId }) => userId === id)
  const flag = mine ? { text: say('withdrawals.queue.waits_for_another'), tone: 'good' } : queueFlag(data)
  const { text } = flag
  return (
    <span className="bulk-flag" data-tone={flag.tone} title={text}>
      {text}
    </span>
  )
}

/** Shows the button that approves a row if the viewer may; its dialog says what is not fine. */
export const QueueAct = ({ row, onApprove }: { row: NamedWithdrawal; onApprove: () => void }) => {
  const { data } = useReview(row)
  if (!data?.review?.viewer.mayApprove) return null
  return <RowAct onClick={onApprove}>{say('withdrawals.queue.approve')}</RowAct>
}
