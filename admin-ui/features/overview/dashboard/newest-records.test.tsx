import { expect, test } from 'bun:test'
import { buildPage, refusal } from '../../../testing/answers.ts'
import { pressButton, renderPage, screen, seen } from '../../../testing/render.tsx'
import { deposit, trader } from '../../../testing/samples.ts'
import { NewestDeposits, NewestTraders } from './newest-records.tsx'

test('the newest deposits are shown with client, amount and state, and link to their pages', async () => {
  const { server } = await renderPage(<NewestDeposits />, {
    answers: { 'deposits.list': buildPage(deposit(), deposit({ id: 'dep_2', traderName: null, status: 'settled' })) },
  })
  const first = await seen('link', /^Ana Lima/)
  expect(first.getAttribute('href')).toBe('/admin/deposits/dep_1')
  expect(first.textContent).toMatch(/^Ana LimaBank · .+1,500\.00 EUR/)
  expect((await seen('link', /^Deleted client/)).textContent).toContain('Settled')
  expect((await seen('link', 'All')).getAttribute('href')).toBe('/admin/deposits?status=*')
  expect(server.of('deposits.list')[0]?.query).toMatchObject({ limit: '6' })
})

test('the newest clients are shown with address and country, and one without a name by the address', async () => {
  await renderPage(<NewestTraders />, {
    answers: {
      'traders.list': buildPage(
        trader(),
        trader({ id: 'trd_2', firstName: null, lastName: null, email: 'bo@mail.example', country: null }),
      ),
    },
  })
  const first = await seen('link', /^Ana Lima/)
  expect([first.getAttribute('href'), first.textContent]).toEqual([
    '/admin/traders/trd_1',
    expect.stringMatching(/^Ana Limaana@mail\.examplePortugal/),
  ])
  expect((await seen('link', /^bo@mail\.example/)).getAttribute('href')).toBe('/admin/traders/trd_2')
})

test('the lists of the newest deposits and clients say so if there are none', async () => {
  await renderPage(
    <>
      <NewestDeposits />
      <NewestTraders />
    </>,
    { answers: { 'deposits.list': buildPage(), 'traders.list': buildPage() } },
  )
  expect(await screen.findByText('No deposits yet')).toBeDefined()
  expect(await screen.findByText('No clients yet')).toBeDefined()
})

test('newest clients that cannot be read show why, and “Try again” reads them', async () => {
  const { server } = await renderPage(<NewestTraders />, {
    answers: { 'traders.list': refusal(422, 'invalid', 'Clients cannot be read') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Clients cannot be read')
  server.now({ 'traders.list': buildPage(trader()) })
  await pressButton('Try again')
  expect(await seen('link', /^Ana Lima/)).toBeDefined()
})
