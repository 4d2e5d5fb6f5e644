import { expect, test } from 'bun:test'
import type { Answer, Row } from '../../../operations.ts'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { HitDrawer } from './hit-drawer.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const FACTS: Omit<Row<'sanctions.hits.list'>, 'traderName'> = {
  id: 'hit_1',
  traderId: 'trd_1',
  source: 'eu',
  reference: 'EU.77',
  name: 'Anna LIMA',
  score: 86,
  explanation: {
    listedAs: 'LIMA Anna',
    nameScore: 93,
    birth: 'differs',
    country: 'unknown',
    words: [
      { ours: 'ana', theirs: 'anna', similarity: 90 },
      { ours: 'lima', theirs: 'lima', similarity: 100 },
    ],
  },
  listHash: 'a'.repeat(64),
  status: 'open',
  reason: null,
  decidedBy: null,
  decidedAt: null,
  firstWord: null,
  version: 4,
  createdAt: AT,
  updatedAt: AT,
}
const DETAIL: Answer<'sanctions.hits.get'> = {
  ...FACTS,
  client: { name: 'Ana Lima', dateOfBirth: '1990-02-03', country: 'PT', city: 'Porto' },
  entry: {
    kind: 'person',
    name: 'LIMA Anna',
    aliases: ['Lima A.'],
    births: ['1961'],
    countries: ['AO'],
    programme: 'AGO',
  },
}
const open = async (with_: Partial<typeof FACTS> = {}, answers: Answers = {}) => {
  const closed: true[] = []
  const drawn = await renderPage(
    <HitDrawer hit={{ ...FACTS, traderName: 'Ana Lima', ...with_ }} onClose={() => void closed.push(true)} />,
    { at: '/sanctions', route: '/sanctions', answers: { 'sanctions.hits.get': { ...DETAIL, ...with_ }, ...answers } },
  )
  return { ...drawn, closed }
}
/** Fills in the reason of a decision, and sends it. */
const decided = async (title: string | RegExp, button: string, why: string): Promise<void> => {
  const form = within(await seen('dialog', title))
  if (why) await fill(form.getByLabelText(/^Reason/), why)
  await press(form.getByRole('button', { name: button }))
}

test('a match shows the client beside the entry of the list, with both dates', async () => {
  await open()
  expect(await screen.findByText(/1961/)).toBeDefined()
  expect(screen.getByText(/1990/)).toBeDefined()
  expect(screen.getByText('EU consolidated, entry EU.77')).toBeDefined()
  const words = within(await seen('table', 'Words compared'))
  expect(words.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'ClientListAlike',
    'anaanna90 %',
    'limalima100 %',
  ])
})

test('a match is cleared with its reason, only if nobody changed it meanwhile', async () => {
  const { server, closed } = await open({}, { 'sanctions.hits.clear': { ...DETAIL, status: 'cleared' } })
  await pressButton('Somebody else')
  await decided('It is somebody else', 'Clear this match', ' another year of birth ')
  await waitFor(() => expect(closed).toHaveLength(1))
  expect(server.of('sanctions.hits.clear')[0]).toMatchObject({
    body: { reason: 'another year of birth' },
    ifMatch: '"4"',
  })
  expect(await screen.findByText('Match of Ana Lima with Anna LIMA cleared.')).toBeDefined()
})

test('a confirmed match says that no money leaves', async () => {
  const { server } = await open({}, { 'sanctions.hits.confirm': { ...DETAIL, status: 'confirmed' } })
  await pressButton('It is this person')
  expect(await screen.findByText(/No money leaves for this client from now on/)).toBeDefined()
  await decided('It is the person on the list', 'Confirm this match', 'The passport says so')
  expect(await screen.findByText('Match of Ana Lima with Anna LIMA confirmed; no money leaves.')).toBeDefined()
  expect(server.of('sanctions.hits.clear')).toEqual([])
})

test('a match is neither cleared nor confirmed without a reason', async () => {
  const { server } = await open()
  await pressButton('Somebody else')
  await decided('It is somebody else', 'Clear this match', '')
  expect(await screen.findByText('Say how you know')).toBeDefined()
  expect(server.of('sanctions.hits.clear')).toEqual([])
})

test('a decision about a match can only be changed to the other one', async () => {
  const { server } = await open(
    { status: 'cleared', decidedBy: 'usr_marco', decidedAt: AT, reason: 'another person' },
    { 'sanctions.hits.confirm': { ...DETAIL, status: 'confirmed' } },
  )
  expect(await screen.findByText('another person')).toBeDefined()
  expect(screen.queryByRole('button', { name: /somebody else/ })).toBeNull()
  await pressButton('Revise: it is this person')
  await decided(/^Revise the decision/, 'Revise the decision', 'a new document')
  await waitFor(() => expect(server.of('sanctions.hits.confirm')).toHaveLength(1))
})

test('a match that a colleague decided first is reported', async () => {
  const { closed } = await open({}, { 'sanctions.hits.clear': refusal(412, 'version_mismatch', 'Decided meanwhile') })
  await pressButton('Somebody else')
  await decided('It is somebody else', 'Clear this match', 'x')
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
  expect(closed).toEqual([])
})
