import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { withdrawal, withdrawalRow } from '../../../testing/money-samples.ts'
import { fill, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { BulkApprove } from './bulk-approve.tsx'

const review = withdrawal().review
if (!review) throw new Error('a withdrawal that waits has its review')
const closer = {
  ...review,
  checks: [{ name: 'destination_new', state: 'look_closer', ok: false, blocks: false, text: 'First use' }],
  viewer: { mayApprove: true, why: null, noteOn: ['destination_new'], needsSecond: null },
} satisfies typeof review

const two = [
  withdrawalRow({ id: 'wdr_1' }),
  withdrawalRow({ id: 'wdr_2', traderName: 'Noor Darwish', amount: '70.50' }),
  withdrawalRow({ id: 'wdr_3', traderName: 'Tom Lis', amount: '9.00', currency: 'USD' }),
]
const open = async (rows = two, answers: Answers = {}) => {
  const heard: string[] = []
  const drawn = await renderPage(
    <BulkApprove rows={rows} onResults={() => heard.push('results')} onClose={() => heard.push('closed')} />,
    {
      at: '/withdrawals',
      route: '/withdrawals',
      answers: {
        'withdrawals.reviews': ({ query }) =>
          buildPage(...(query.ids ?? '').split(',').map((id) => withdrawal({ id }))),
        ...answers,
      },
    },
  )
  return { ...drawn, heard }
}

test('a bulk approval shows the names, the amounts and the sum of each currency', async () => {
  await open()
  const dialog = within(await seen('dialog', 'Approve 3 withdrawals'))
  const rows = within(dialog.getByRole('list', { name: 'What you approve' })).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Ana LimaAll checks are fine1,500.00 EUR',
    'Noor DarwishAll checks are fine70.50 EUR',
    'Tom LisAll checks are fine9.00 USD',
  ])
  expect(dialog.getByText('1,570.50', { exact: false })).toBeDefined()
})

test('a bulk approval has no button until the checks of all withdrawals are read', async () => {
  await open(two, { 'withdrawals.reviews': () => new Promise(() => undefined) })
  await seen('dialog', 'Approve 3 withdrawals')
  expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull()
})

test('a bulk approval leaves out a withdrawal that no longer waits', async () => {
  const { server } = await open(two, {
    'withdrawals.reviews': buildPage(withdrawal({ id: 'wdr_1' }), withdrawal({ id: 'wdr_3' })),
    'withdrawals.bulkApprove': { results: [] },
  })
  await pressButton('Approve 2')
  await waitFor(() => expect(server.of('withdrawals.bulkApprove')[0]?.body).toEqual({ ids: ['wdr_1', 'wdr_3'] }))
  expect(screen.queryByText('Noor Darwish')).toBeNull()
})

test('a failed check of one withdrawal requires a note for the whole bulk approval', async () => {
  const { server } = await open(two, {
    'withdrawals.reviews': buildPage(
      withdrawal({ id: 'wdr_1', review: closer }),
      withdrawal({ id: 'wdr_2' }),
      withdrawal({ id: 'wdr_3' }),
    ),
    'withdrawals.bulkApprove': { results: [] },
  })
  await pressButton('Approve 3')
  expect(await screen.findByText('Say why you approve them all the same')).toBeDefined()
  expect(server.of('withdrawals.bulkApprove')).toEqual([])
  expect(screen.getByText('1 of 3 needs a closer look and a note.')).toBeDefined()
  await fill(screen.getByLabelText(/^Note/), ' called the client ')
  await pressButton('Approve 3')
  await waitFor(() =>
    expect(server.of('withdrawals.bulkApprove')[0]?.body).toMatchObject({ note: 'called the client' }),
  )
})

test('a bulk approval shows the result of each withdrawal with its client and amount', async () => {
  const { heard } = await open(two, {
    'withdrawals.bulkApprove': {
      results: [
        { id: 'wdr_1', ok: true, status: 'approved' },
        { id: 'wdr_2', ok: true, status: 'requested' },
        { id: 'wdr_3', ok: false, code: 'own_request', message: 'You asked for this one.' },
      ],
    },
  })
  await pressButton('Approve 3')
  const results = within(await seen('dialog', 'Approvals'))
  for (const text of [
    '1,500.00 EUR · Ana Lima',
    'It can be paid now.',
    '70.50 EUR · Noor Darwish',
    'Your approval counts; another person is needed.',
    'You asked for this one.',
  ])
    expect(results.getByText(text, { exact: false })).toBeDefined()
  expect(heard).toEqual(['results'])
})

test('a single successful approval shows no table of results', async () => {
  const { heard } = await open([withdrawalRow()], {
    'withdrawals.bulkApprove': { results: [{ id: 'wdr_1', ok: true, status: 'approved' }] },
  })
  await seen('dialog', 'Approve this withdrawal')
  await pressButton('Approve')
  expect(await screen.findByText('1,500.00 EUR for Ana Lima approved; it can be paid now.')).toBeDefined()
  expect(heard).toEqual(['closed', 'results'])
})

test('a refusal of a whole bulk approval stays in the form with its text', async () => {
  const { heard } = await open(two, {
    'withdrawals.bulkApprove': refusal(422, 'bad_request', 'Too many at once'),
  })
  await pressButton('Approve 3')
  expect(await screen.findByText('Too many at once')).toBeDefined()
  expect(heard).toEqual([])
})
