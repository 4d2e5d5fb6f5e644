import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { fill, pressButton, renderPage, screen, waitFor } from '../../../testing/render.tsx'
import { meAs, trader } from '../../../testing/samples.ts'
import { CreateTrader } from './create-trader.tsx'
import { EditTrader } from './edit-trader.tsx'
import { toValues } from './trader-form.ts'

const open = async (answers: Answers = {}, with_: Parameters<typeof trader>[0] = {}) => {
  const closed: true[] = []
  const drawn = await renderPage(<EditTrader trader={trader(with_)} onClose={() => void closed.push(true)} />, {
    at: '/traders/trd_1',
    route: '/traders/$id',
    answers: { 'traders.update': trader({ version: 5 }), ...answers },
  })
  return { ...drawn, closed }
}
test('a client’s changes are saved only if nobody changed the client meanwhile, and an empty field as null', async () => {
  const { server, closed } = await open()
  await fill(await screen.findByLabelText('Last name'), '')
  await fill(screen.getByLabelText(/^City/), ' Lisbon ')
  await pressButton('Save')
  await waitFor(() => expect(closed).toHaveLength(1))
  expect(server.of('traders.update')[0]).toMatchObject({
    params: { id: 'trd_1' },
    body: { firstName: 'Ana', lastName: null, email: 'ana@mail.example', address: { street: '1 Mill Lane' } },
    ifMatch: '"4"',
  })
})

test('a change without consequences has an Undo, which sends only the changed field', async () => {
  const { server } = await open({ 'traders.update': trader({ source: 'fair', version: 5 }) })
  await fill(await screen.findByLabelText(/^Source/), 'fair')
  await pressButton('Save')
  await pressButton('Undo')
  await waitFor(() => expect(server.of('traders.update')).toHaveLength(2))
  expect(server.of('traders.update')[1]).toMatchObject({ ifMatch: '"5"' })
  expect(server.of('traders.update')[1]?.body).toEqual({ source: trader().source })
})

test('Undo of a new name gives the former one back, and says that what the change set off stays', async () => {
  const { server } = await open({ 'traders.update': trader({ lastName: 'Other', version: 5 }) })
  await fill(await screen.findByLabelText('Last name'), 'Other')
  await pressButton('Save')
  expect(await screen.findByText(/^Client saved\. Last name: .* → Other/)).toBeDefined()
  await pressButton('Undo')
  await screen.findByText('The former value is back. Checks and sessions that the change ended stay ended.')
  expect(server.of('traders.update')[1]).toMatchObject({ body: { lastName: trader().lastName }, ifMatch: '"5"' })
})

test('a postal address without any part is saved as null', async () => {
  const { server } = await open({}, { address: { street: '1 Mill Lane' } })
  await fill(await screen.findByLabelText(/^Street/), ' ')
  await pressButton('Save')
  await waitFor(() => expect(server.of('traders.update')[0]?.body).toMatchObject({ address: null }))
})

test('an invalid e-mail address is not sent', async () => {
  const { server } = await open()
  await fill(await screen.findByLabelText(/^E-mail/), 'ana')
  await pressButton('Save')
  expect(await screen.findByText('Enter an e-mail address')).toBeDefined()
  expect(server.of('traders.update')).toEqual([])
})

test('an e-mail address of another client is refused at its field', async () => {
  await open({
    'traders.update': refusal(409, 'taken', 'Taken', [{ path: '/email', message: 'belongs to another client' }]),
  })
  await fill(await screen.findByLabelText(/^E-mail/), 'noor@mail.example')
  await pressButton('Save')
  expect(await screen.findByText('Belongs to another client')).toBeDefined()
})

test('an edit of a client that got no answer is repeated with the same Idempotency-Key', async () => {
  let times = 0
  const { server, closed } = await open({
    'auth.me': meAs('manager'),
    'traders.update': () => {
      times += 1
      if (times === 1) throw new TypeError('network')
      return trader({ version: 5 })
    },
  })
  await fill(await screen.findByLabelText('Last name'), 'Silva')
  await pressButton('Save')
  expect(await screen.findByText(/No answer came/)).toBeDefined()
  await pressButton('Save')
  await waitFor(() => expect(closed).toHaveLength(1))
  expect(new Set(server.of('traders.update').map(({ key }) => key)).size).toBe(1)
})

test('a new client needs only an e-mail address', async () => {
  const done: string[] = []
  const { server } = await renderPage(<CreateTrader onClose={() => undefined} onDone={({ id }) => done.push(id)} />, {
    at: '/traders',
    route: '/traders',
    answers: { 'traders.create': trader({ id: 'trd_new' }) },
  })
  await pressButton('Add client')
  expect(await screen.findByText('Enter an e-mail address')).toBeDefined()
  await fill(screen.getByLabelText(/^E-mail/), ' new@mail.example ')
  await pressButton('Add client')
  await waitFor(() => expect(done).toEqual(['trd_new']))
  expect(server.of('traders.create').map(({ body }) => body)).toMatchObject([
    { email: 'new@mail.example', firstName: null, country: null, address: null, riskLevel: 'low' },
  ])
})

test('the form of a new client links to the client who has the address already, and keeps the typed text', async () => {
  const { server } = await renderPage(<CreateTrader onClose={() => undefined} onDone={() => undefined} />, {
    at: '/traders',
    route: '/traders',
    answers: {
      'traders.create': refusal(409, 'email_taken', 'A client has this address'),
      'traders.list': buildPage(),
    },
  })
  const email = await screen.findByLabelText(/^E-mail/)
  await fill(email, 'ana@mail.example')
  await pressButton('Add client')
  await waitFor(() => expect(server.of('traders.create')).toHaveLength(1))
  expect(await screen.findByText(/A client has this address|This changed while you were working/)).toBeDefined()
  expect(email).toHaveProperty('value', 'ana@mail.example')
})

test('each value of a client’s form has an input', async () => {
  await open()
  await screen.findByLabelText('Last name')
  const { address, ...others } = toValues()
  const paths = [...Object.keys(others), ...Object.keys(address).map((part) => `address.${part}`)]
  const drawn = [...document.querySelectorAll('[data-path]')].map((input) => input.getAttribute('data-path') ?? '')
  expect(paths.filter((path) => !drawn.some((name) => name === path || name.endsWith(`-${path}`)))).toEqual([])
})
