import { expect, test } from 'bun:test'
import { noAnswer, refusal } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { deposit } from '../../../testing/samples.ts'
import { CreateDeposit } from './create-deposit.tsx'

const made = deposit({ id: 'dep_new', amount: '250.00' })
async function open(setting: Parameters<typeof renderPage>[1] = {}) {
  const done: string[] = []
  const drawn = await renderPage(
    <CreateDeposit
      trader={{ id: 'trd_1', name: 'Ana Lima' }}
      onClose={() => undefined}
      onDone={({ id }) => done.push(id)}
    />,
    { at: '/deposits', route: '/deposits', ...setting },
  )
  return { ...drawn, done }
}
const amount = (): Promise<HTMLElement> => screen.findByLabelText(/^Amount/)

test('a new deposit begins with the firm’s currency, and is sent as typed', async () => {
  const { server, done } = await open({ answers: { 'deposits.create': made } })
  await fill(await amount(), '250')
  await fill(await screen.findByLabelText(/^Reference/), ' WIRE-7 ')
  await pressButton('Create deposit')
  await waitFor(() => expect(done).toEqual(['dep_new']))
  expect(server.of('deposits.create').map(({ body }) => body)).toEqual([
    { traderId: 'trd_1', amount: '250.00', currency: 'EUR', method: 'bank', providerReference: 'WIRE-7' },
  ])
})

test('a new deposit that has arrived is settled next, and then opened', async () => {
  const { server, done } = await open({
    answers: {
      'deposits.create': made,
      'deposits.get': made,
      'deposits.settle': { ...made, status: 'settled' },
      'traders.get': Response.json({ id: 'trd_1', firstName: 'Ana', lastName: 'Lima', email: null }),
    },
  })
  await fill(await amount(), '250')
  await press(await seen('checkbox', /The money has arrived/))
  await pressButton('Create deposit')
  await pressButton('Settle in full')
  await waitFor(() => expect(done).toEqual(['dep_new']))
  expect(server.of('deposits.create')).toHaveLength(1)
  expect(server.of('deposits.settle')).toHaveLength(1)
})

test('a created deposit that cannot be read is not created again', async () => {
  const { server, done } = await open({ answers: { 'deposits.create': made, 'deposits.get': noAnswer } })
  await fill(await amount(), '250')
  await press(await seen('checkbox', /The money has arrived/))
  await pressButton('Create deposit')
  await waitFor(() => expect(done).toEqual(['dep_new']))
  expect(server.of('deposits.create')).toHaveLength(1)
})

test('an operator is not asked whether a new deposit has arrived', async () => {
  await open({ role: 'operator' })
  await amount()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('a reference that was credited before is used again only with a tick and a note', async () => {
  let sent = 0
  const { server } = await open({
    answers: {
      'deposits.create': () => {
        sent += 1
        return sent === 1 ? refusal(409, 'reference_used', 'dep_old was credited with this reference') : made
      },
    },
  })
  await fill(await amount(), '250')
  await fill(await screen.findByLabelText(/^Reference/), 'WIRE-7')
  await pressButton('Create deposit')
  await press(await seen('checkbox', /This is another payment/))
  await pressButton('Create deposit')
  expect(await screen.findByText('Say why the same reference is another payment')).toBeDefined()
  await fill(await screen.findByLabelText(/^Note/), 'a second wire')
  await pressButton('Create deposit')
  await waitFor(() => expect(server.of('deposits.create')).toHaveLength(2))
  expect(server.of('deposits.create').at(-1)?.body).toMatchObject({ repeatOf: 'dep_old', note: 'a second wire' })
})
