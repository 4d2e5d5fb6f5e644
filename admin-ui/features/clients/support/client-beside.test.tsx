import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { withdrawalRow } from '../../../testing/money-samples.ts'
import { pressButton, renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { deposit, ticket, trader } from '../../../testing/samples.ts'
import { ClientBeside } from './client-beside.tsx'
import type { NamedTicket } from './support.api.ts'

const row = (id: string, subject: string, status: NamedTicket['status'] = 'open'): NamedTicket => ({
  ...ticket({ id, subject, status }),
  traderName: 'Ana Lima',
})
const open = (answers: Answers = {}) =>
  renderPage(<ClientBeside traderId="trd_1" ticket="tic_1" />, {
    at: '/support/tic_1',
    route: '/support/$id',
    role: 'operator',
    answers: {
      'traders.get': trader({ riskLevel: 'high', kycStatus: 'requested' }),
      'support.tickets.list': ({ query }) =>
        query.status === 'open'
          ? buildPage(row('tic_1', 'This one'), row('tic_2', 'Fees'))
          : buildPage(row('tic_3', 'Papers', 'pending'), row('tic_4', 'Price'), row('tic_5', 'One too many')),
      'deposits.list': buildPage(deposit()),
      'withdrawals.list': buildPage(withdrawalRow({ amount: '70.50' })),
      ...answers,
    },
  })
const part = async (name: string) => within(await seen('region', name))
const findLinks = async (name: string): Promise<(string | null)[]> =>
  (await part(name)).getAllByRole('link').map((link) => link.getAttribute('href'))

test('the client is shown beside the ticket, with risk and identity in words', async () => {
  await open()
  const link = await seen('link', 'Ana Lima')
  expect(link.getAttribute('href')).toBe('/admin/traders/trd_1')
  expect(screen.getByText('High')).toBeDefined()
  expect(screen.getByText('Waiting for review')).toBeDefined()
})

test('at most three other tickets of the client that are not done are listed, without the present one', async () => {
  const { server } = await open()
  expect(await findLinks('Other open tickets')).toEqual([
    '/admin/support/tic_2',
    '/admin/support/tic_3',
    '/admin/support/tic_4',
  ])
  expect(server.of('support.tickets.list').map(({ query }) => [query.traderId, query.status])).toEqual([
    ['trd_1', 'open'],
    ['trd_1', 'pending'],
  ])
})

test('the client’s last payments link to their pages', async () => {
  await open()
  expect(await findLinks('Last deposits')).toEqual(['/admin/deposits/dep_1'])
  expect(await findLinks('Last withdrawals')).toEqual(['/admin/withdrawals/wdr_1'])
  expect((await part('Last withdrawals')).getByText('70.50', { exact: false })).toBeDefined()
})

test('the part about a ticket’s client says if there are no other tickets, deposits or withdrawals', async () => {
  await open({ 'support.tickets.list': buildPage(), 'deposits.list': buildPage(), 'withdrawals.list': buildPage() })
  for (const words of ['No other open ticket', 'No deposits', 'No withdrawals'])
    expect(await screen.findByText(words)).toBeDefined()
})

test('a client who was deleted is marked beside the ticket', async () => {
  await open({ 'traders.get': trader({ deletedAt: '2026-11-21T10:00:00.000Z' }) })
  expect(await screen.findByText('This client was deleted.')).toBeDefined()
})

test('“Try again” reads a ticket’s client who could not be read', async () => {
  const { server } = await open({ 'traders.get': refusal(422, 'broken', 'No client now.') })
  await seen('button', 'Try again')
  server.now({ 'traders.get': trader() })
  await pressButton('Try again')
  expect(await seen('link', 'Ana Lima')).toBeDefined()
})
