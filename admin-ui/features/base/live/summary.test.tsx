import { expect, test } from 'bun:test'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { renderPage, screen, waitFor } from '../../../testing/render.tsx'
import { summary } from '../../../testing/samples.ts'
import { CHANGED, QUEUES, useWaitingOn } from './summary.ts'

const Counts = () => {
  const waitingOn = useWaitingOn()
  const shown = (['/deposits', '/withdrawals', '/audit'] as const).map((page) => `${page} ${waitingOn(page)}`)
  return <p>{shown.join(', ')}</p>
}
const open = (answers: Answers) => renderPage(<Counts />, { answers })

test('a page in the side bar shows the count of its waiting work, and no count if nothing can wait there', async () => {
  await open({ 'notifications.summary': summary({ pendingDeposits: 12, approvedWithdrawals: 4 }) })
  expect(await screen.findByText('/deposits 12, /withdrawals 0, /audit null')).toBeDefined()
})

test('a page has no count for a reader who may not know it', async () => {
  const { server } = await open({ 'notifications.summary': refusal(403, 'forbidden', 'Not for you') })
  await waitFor(() => expect(server.of('notifications.summary')).toHaveLength(1))
  expect(screen.getByText('/deposits null, /withdrawals null, /audit null')).toBeDefined()
})

test('each count of the server belongs to one queue of the work list', () => {
  expect(QUEUES.map(({ count }): string => count).sort()).toEqual(Object.keys(CHANGED).sort())
})

test('urgent work comes first: an overdue ticket before money, money before a new lead', () => {
  const places = ['overdueTickets', 'requestedWithdrawals', 'newLeads'].map((count) =>
    QUEUES.findIndex((queue) => queue.count === count),
  )
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})
