import { expect, test } from 'bun:test'
import { type Answers, buildPage } from '../../../testing/answers.ts'
import { renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { AuditList } from './audit-list.tsx'
import { ChangeDrawer } from './change-drawer.tsx'

type Entry = Parameters<typeof ChangeDrawer>[0]['entry']
const entry = (with_: Partial<Entry> = {}): Entry => ({
  action: 'deposit.settle',
  actorKind: 'user',
  actorName: 'Marco Rossi',
  at: '2026-01-05T10:00:00.000Z',
  entity: 'deposit',
  entityId: 'dep_1',
  before: { status: 'pending' },
  after: { status: 'settled' },
  ...with_,
})
const open = async (with_: Partial<Entry> = {}) => {
  await renderPage(<ChangeDrawer entry={entry(with_)} facts={[['Address', '192.0.2.7']]} onClose={() => undefined} />)
  return within(await seen('dialog', 'Deposit settled'))
}

test('an audit entry shows who did what to which record, and every field before and after', async () => {
  const drawer = await open()
  for (const words of ['Marco Rossi', 'dep_1', '192.0.2.7']) expect(drawer.getByText(words)).toBeDefined()
  const cells = drawer.getAllByRole('cell').map(({ textContent }) => textContent)
  expect(cells).toEqual(['Status', 'Pending', 'Settled'])
})

test('an erased audit entry shows no values, not even empty ones', async () => {
  const drawer = await open({ erased: true, before: null, after: null })
  expect(drawer.queryByRole('table')).toBeNull()
  expect(drawer.getByText(/erased/)).toBeDefined()
})

test('an audit entry without a record has a dash instead of its id', async () => {
  const drawer = await open({ entityId: null })
  expect(drawer.getByText('Record').nextElementSibling?.textContent).toBe('—')
})

const list = (answers: Answers, at: string) =>
  renderPage(<AuditList />, {
    at,
    route: '/audit',
    role: 'admin',
    answers: {
      'audit.list': buildPage(),
      'audit.facets': {
        actions: [{ value: 'deposit.settle', label: 'deposit.settle', count: 1234 }],
        actors: [{ value: 'usr_marco', label: 'Marco Rossi', count: 7 }],
        entities: [],
      },
      ...answers,
    },
  })

test.each([
  ['/audit?action=deposit.settle', 'What: Deposit settled · 1,234', { action: 'deposit.settle', people: 'true' }],
  ['/audit?actorId=usr_marco', 'Who: Marco Rossi · 7', { actorId: 'usr_marco' }],
  ['/audit?entityId=dep_1', 'Record id: dep_1', { entityId: 'dep_1' }],
] as const)('the audit log at %s has the filter “%s”', async (at, words, query) => {
  const { server } = await list({}, at)
  expect(await screen.findByText(words)).toBeDefined()
  expect(server.of('audit.list').at(-1)?.query).toMatchObject(query)
})

test('actions of machines are shown in the audit log on request', async () => {
  const { server } = await list({}, '/audit?people=*')
  await screen.findByText(/Nothing has happened yet|match/i)
  expect(server.of('audit.list')[0]?.query.people).toBeUndefined()
})
