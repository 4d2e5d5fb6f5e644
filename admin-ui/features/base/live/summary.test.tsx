import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import type { PagePath } from '../../../lib/screen/page-path.ts'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { renderPage, screen, waitFor } from '../../../testing/render.tsx'
import { summary } from '../../../testing/samples.ts'
import { CHANGED, QUEUES, useWaitingOn } from './summary.ts'

const Counts = ({ page }: { page: PagePath }) => {
  const waitingOn = useWaitingOn()
  const shown = (['/deposits', '/withdrawals', page] as const).map((path) => `${path} ${waitingOn(path)}`)
  return <p>{shown.join(', ')}</p>
}
const open = (answers: Answers, role: Role = 'manager', page: PagePath = '/audit') =>
  renderPage(<Counts page={page} />, { answers, role })

test('a page in the side bar shows the count of its waiting work, and no count if nothing can wait there', async () => {
  await open({ 'notifications.summary': summary({ pendingDeposits: 12, approvedWithdrawals: 4 }) })
  expect(await screen.findByText('/deposits 12, /withdrawals 0, /audit null')).toBeDefined()
})

test.each([
  ['manager', '/deposits 12, /withdrawals 3, /support 5'],
  ['operator', '/deposits null, /withdrawals null, /support 5'],
  ['viewer', '/deposits null, /withdrawals null, /support null'],
] as const)('the side bar counts for the role %s only what it may work on', async (role, counts) => {
  await open(
    { 'notifications.summary': summary({ pendingDeposits: 12, requestedWithdrawals: 3, openTickets: 5 }) },
    role,
    '/support',
  )
  expect(await screen.findByText(counts)).toBeDefined()
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
