import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, noAnswer, refusal } from '../../../testing/answers.ts'
import { adjustment } from '../../../testing/money-samples.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import { AdjustmentDrawer } from './adjustment-drawer.tsx'

const open = async (with_: Parameters<typeof adjustment>[0] = {}, answers: Answers = {}, role: Role = 'admin') => {
  const closed: true[] = []
  const drawn = await renderPage(
    <AdjustmentDrawer adjustment={adjustment(with_)} onClose={() => void closed.push(true)} />,
    { at: '/adjustments', route: '/adjustments', answers, role },
  )
  return { ...drawn, closed }
}

test('an adjustment shows its client, its grouped amount and who requested it', async () => {
  await open()
  expect(await seen('dialog', 'Credit of 1,500.00 EUR')).toBeDefined()
  expect(await screen.findByText('Marco Bianchi')).toBeDefined()
  expect(screen.getByText('The bank charged twice')).toBeDefined()
})

test('an approval of an adjustment is sent with the shown version and its note, and closes the drawer', async () => {
  const { server, closed } = await open({}, { 'adjustments.approve': adjustment({ status: 'approved' }) })
  await pressButton('Approve')
  expect(await screen.findByText(/is given to/)).toBeDefined()
  await fill(await screen.findByLabelText('Note'), ' seen the statement ')
  await pressButton('Approve and post')
  expect(await screen.findByText('1,500.00 EUR credited to Ana Lima.')).toBeDefined()
  expect(server.of('adjustments.approve')[0]).toMatchObject({
    params: { id: 'adj_1' },
    body: { note: 'seen the statement' },
    ifMatch: '"5"',
  })
  expect(closed).toHaveLength(1)
})

test('a debit is shown as money that is taken', async () => {
  await open({ direction: 'debit' })
  await pressButton('Approve')
  expect(await screen.findByText(/is taken from/)).toBeDefined()
})

test('a rejection of an adjustment needs its reason', async () => {
  const { server } = await open({}, { 'adjustments.reject': adjustment({ status: 'rejected' }) })
  await pressButton('Reject')
  const send = within(await seen('dialog', 'Reject this adjustment')).getByRole('button', { name: 'Reject' })
  await press(send)
  expect(await screen.findByText('Say why')).toBeDefined()
  expect(server.of('adjustments.reject')).toEqual([])
  await fill(await screen.findByLabelText(/^Reason/), 'No such charge')
  await press(send)
  await waitFor(() => expect(server.of('adjustments.reject')[0]?.body).toEqual({ reason: 'No such charge' }))
  expect(await screen.findByText('Credit of 1,500.00 EUR for Ana Lima rejected.')).toBeDefined()
})

test('an adjustment that a colleague decided first is reported, and nothing is sent twice', async () => {
  const { server } = await open({}, { 'adjustments.approve': refusal(412, 'version_mismatch', 'Somebody decided it') })
  await pressButton('Approve')
  await pressButton('Approve and post')
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
  expect(server.of('adjustments.approve')).toHaveLength(1)
})

test('an approval of an adjustment that got no answer is sent again with the same Idempotency-Key', async () => {
  let times = 0
  const { server } = await open(
    {},
    {
      'auth.me': meAs('admin'),
      'adjustments.approve': () => {
        times += 1
        return times === 1 ? noAnswer() : adjustment({ status: 'approved' })
      },
    },
  )
  await pressButton('Approve')
  await pressButton('Approve and post')
  expect(await screen.findByText(/No answer came/)).toBeDefined()
  await pressButton('Approve and post')
  expect(await screen.findByText('1,500.00 EUR credited to Ana Lima.')).toBeDefined()
  const keys = server.of('adjustments.approve').map(({ key }) => key)
  expect(new Set(keys).size).toBe(1)
})

test.each([
  ['its requester', 'admin', { requestedBy: 'usr_me' }, 'You requested this, so another person decides.'],
  ['a manager', 'manager', {}, 'An administrator decides this.'],
] as const)('%s cannot decide an adjustment, and reads why', async (_who, role, with_, why) => {
  await open(with_, {}, role)
  expect(await screen.findByText(why)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
})

test('a decided adjustment has no buttons, and shows who decided it and why', async () => {
  await open({ status: 'rejected', decidedBy: 'usr_marco', decidedAt: '2026-11-21T10:00:00.000Z', decisionNote: 'No' })
  expect(await screen.findByText('Note of the decision')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Reject' })).toBeNull()
})
