import { expect, test } from 'bun:test'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { deposit, gateway, meAs } from '../../../testing/samples.ts'
import { Connections } from './connections.tsx'
import { ExceptionDrawer } from './exception-drawer.tsx'
import type { Exception } from './gateways.api.ts'

const AT = '2026-11-20T10:00:00.000Z'
const exception = (with_: Partial<Exception> = {}): Exception => ({
  ...blank('psp.exceptions.close'),
  id: 'exc_1',
  connectionId: 'psp_1',
  traderId: 'trd_1',
  reference: 'PAY-9',
  status: 'success',
  amount: '1500.00',
  currency: 'EUR',
  reason: 'unannounced',
  state: 'open',
  version: 2,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})
const openList = (answers: Answers = {}) =>
  renderPage(<Connections />, {
    at: '/gateways',
    route: '/gateways',
    role: 'admin',
    answers: { 'psp.list': buildPage(gateway()), ...answers },
  })
const act = async (name: string): Promise<void> => {
  await pressButton('Actions for Card payments')
  await press(await seen('menuitem', name))
}
const confirmed = async (title: string, name: string): Promise<void> =>
  press(within(await seen('dialog', title)).getByRole('button', { name }))

test.each([
  ['active', 'Disable', 'disabled', 'Gateway disabled.'],
  ['disabled', 'Enable', 'active', 'Gateway enabled.'],
] as const)('a gateway that is %s can be switched: %s', async (status, name, to, told) => {
  const { server } = await openList({ 'psp.list': buildPage(gateway({ status })), 'psp.update': gateway() })
  await act(name)
  await confirmed(`${name} this gateway`, name)
  expect(await screen.findByText(told)).toBeDefined()
  expect(server.of('psp.update')[0]).toMatchObject({ body: { status: to }, ifMatch: '"3"' })
})

test('a gateway is removed only if nobody changed it meanwhile', async () => {
  const { server } = await openList({ 'psp.delete': new Response(null, { status: 204 }) })
  await act('Remove')
  await confirmed('Remove this gateway', 'Remove gateway')
  await waitFor(() => expect(server.of('psp.delete')[0]).toMatchObject({ params: { id: 'psp_1' }, ifMatch: '"3"' }))
})

test('a change of a gateway that a colleague changed first is reported as a conflict', async () => {
  await openList({ 'psp.update': refusal(412, 'version_mismatch', 'Changed') })
  await act('Disable')
  await confirmed('Disable this gateway', 'Disable')
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
})

test('a gateway’s new secret must be long enough, and an empty field keeps the present one', async () => {
  const { server } = await openList({ 'psp.update': gateway() })
  await act('Edit')
  const form = within(await seen('dialog', 'Card payments'))
  await fill(form.getByLabelText(/^New secret/), 'short')
  await press(form.getByRole('button', { name: 'Save' }))
  expect(await form.findByText('Use at least 16 characters')).toBeDefined()
  await fill(form.getByLabelText(/^New secret/), '')
  await fill(form.getByLabelText(/^Name/), ' Cards ')
  await press(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.of('psp.update').map(({ body }) => body)).toEqual([{ name: 'Cards' }]))
})

test('an empty list of gateways says so', async () => {
  await openList({ 'psp.list': buildPage() })
  expect(await screen.findByText('No gateways yet')).toBeDefined()
})

const openException = async (with_: Partial<Exception> = {}, answers: Answers = {}) => {
  const closed: true[] = []
  const drawn = await renderPage(
    <ExceptionDrawer exception={exception(with_)} onClose={() => void closed.push(true)} />,
    {
      at: '/gateways',
      route: '/gateways',
      answers: {
        'deposits.list': buildPage(deposit({ id: 'dep_7', providerReference: 'PAY-9' })),
        'psp.exceptions.close': exception({ state: 'closed' }),
        ...answers,
      },
    },
  )
  return { ...drawn, closed }
}

test('an exception is closed with the outcome of the payment and the deposit that booked it', async () => {
  const { server, closed } = await openException()
  await pressButton('Close it')
  const form = within(await seen('dialog', 'Close this exception'))
  await press(form.getByRole('button', { name: 'Close it' }))
  expect(await form.findByText('Say what became of the payment')).toBeDefined()
  await fill(form.getByLabelText(/^Reason/), ' booked by hand ')
  await press(form.getByLabelText(/^Deposit that booked it/, { selector: 'input' }))
  await press(await seen('option', /1,500.00 EUR · PAY-9/))
  await press(form.getByRole('button', { name: 'Close it' }))
  await waitFor(() => expect(closed).toHaveLength(1))
  expect(server.of('psp.exceptions.close')[0]).toMatchObject({
    body: { reason: 'booked by hand', depositId: 'dep_7' },
    ifMatch: '"2"',
  })
})

test('the form that closes an exception offers the deposits of its client first', async () => {
  const { server } = await openException()
  await pressButton('Close it')
  await seen('dialog', 'Close this exception')
  await waitFor(() => expect(server.of('deposits.list')[0]?.query).toMatchObject({ traderId: 'trd_1' }))
})

test('closing an exception that got no answer is repeated with the same Idempotency-Key', async () => {
  let times = 0
  const { server } = await openException(
    {},
    {
      'auth.me': meAs('manager'),
      'psp.exceptions.close': () => {
        times += 1
        return times === 1 ? noAnswer() : exception({ state: 'closed' })
      },
    },
  )
  await pressButton('Close it')
  const form = within(await seen('dialog', 'Close this exception'))
  await fill(form.getByLabelText(/^Reason/), 'no money came')
  await press(form.getByRole('button', { name: 'Close it' }))
  expect(await form.findByText(/No answer came/)).toBeDefined()
  await press(form.getByRole('button', { name: 'Close it' }))
  expect(await screen.findByText('Exception closed.')).toBeDefined()
  expect(new Set(server.of('psp.exceptions.close').map(({ key }) => key)).size).toBe(1)
})

test('a closed exception shows by whom and why, and cannot be closed again', async () => {
  await openException({ state: 'closed', closedAt: AT, closedBy: 'usr_marco', closeReason: 'a test of theirs' })
  expect(await screen.findByText('a test of theirs')).toBeDefined()
  expect(await screen.findByText('Marco Bianchi')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Close it' })).toBeNull()
})
