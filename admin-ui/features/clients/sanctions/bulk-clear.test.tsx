import { expect, test } from 'bun:test'
import type { Row } from '../../../operations.ts'
import { refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { fill, keys, press, renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { SanctionsPage } from './hit-list.tsx'

const hit = (with_: Partial<Row<'sanctions.hits.list'>>): Row<'sanctions.hits.list'> => ({
  ...blank('sanctions.hits.get'),
  traderId: `trd_${with_.id}`,
  traderName: 'Ana Lima',
  source: 'eu',
  reference: 'EU.77',
  name: 'Anna LIMA',
  score: 86,
  explanation: { listedAs: 'LIMA', nameScore: 93, birth: 'differs', country: 'same', words: [] },
  status: 'open',
  version: 4,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  ...with_,
})

test('open matches are cleared together with one reason, a confirmed one cannot be chosen, and a refusal says why', async () => {
  const rows = [
    hit({ id: 'hit_1' }),
    hit({ id: 'hit_2', traderName: 'Omar Haddad', version: 6 }),
    hit({ id: 'hit_3', traderName: 'Tom Lis', status: 'confirmed' }),
  ]
  const { server } = await renderPage(<SanctionsPage />, {
    at: '/sanctions?status=',
    route: '/sanctions',
    answers: {
      'sanctions.hits.list': { data: rows, nextCursor: null, total: 3, totalIsMinimum: false },
      'sanctions.lists.list': { data: [], nextCursor: null },
      'sanctions.hits.get': { ...blank('sanctions.hits.get'), id: 'hit_1' },
      'sanctions.hits.clear': ({ params }) =>
        params.id === 'hit_2' ? refusal(412, 'version_conflict', 'Decided meanwhile') : hit({ id: 'hit_1' }),
    },
  })
  await press(await seen('checkbox', 'Choose all rows shown'))
  expect(screen.getByText('2 selected')).toBeDefined()
  await keys('c')
  const form = within(await seen('dialog', 'Clear 2 matches'))
  await fill(form.getByLabelText(/^Reason/), 'other years of birth')
  await press(form.getByRole('button', { name: 'Clear 2 matches' }))
  expect((await seen('row', /^Omar Haddad: Anna LIMA/)).textContent).toContain('Decided meanwhile')
  expect(server.of('sanctions.hits.clear').map(({ params, body, ifMatch }) => [params.id, body, ifMatch])).toEqual([
    ['hit_1', { reason: 'other years of birth' }, '"4"'],
    ['hit_2', { reason: 'other years of birth' }, '"6"'],
  ])
  await press(await seen('button', 'Done'))
  expect(await screen.findByText('1 selected')).toBeDefined()
})
