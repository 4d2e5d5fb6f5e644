import { expect, test } from 'bun:test'
import type { Row } from '../../../operations.ts'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import type { SqlResult, SqlSchema } from './sandbox.api.ts'
import { SqlPage } from './sql-page.tsx'

const result: SqlResult = {
  columns: [{ name: 'email', type: 'text' }],
  rows: [['ana@mail.example']],
  rowCount: 1,
  truncated: false,
  elapsedMs: 1200,
}
const schema: SqlSchema = {
  tables: [
    {
      name: 'traders',
      description: 'Clients, also those in the bin',
      columns: [
        { name: 'email', type: 'text' },
        { name: 'status', type: 'text' },
      ],
    },
    { name: 'wallets', description: 'What each client has', columns: [{ name: 'held', type: 'integer' }] },
  ],
  functions: [{ name: 'money', description: 'money(minor, currency): an amount' }],
}
const asked = (sql: string, at: string): Row<'audit.list'> => ({
  id: `aud_${at}`,
  seq: 1,
  at,
  actorKind: 'user',
  actorId: 'usr_me',
  actorName: 'Elena Rossi',
  apiKeyId: null,
  impersonatorId: null,
  ip: null,
  requestId: null,
  action: 'sandbox.query',
  entity: 'tenant',
  entityId: 'ten_1',
  traderId: null,
  traderName: null,
  before: null,
  after: { sql },
  erased: false,
  hash: 'h',
})
const open = (answers: Answers = {}) =>
  renderPage(<SqlPage />, {
    at: '/sql',
    route: '/sql',
    role: 'owner',
    answers: { 'sandbox.schema': schema, 'sandbox.query': result, 'audit.list': buildPage(), ...answers },
  })
const editor = (): Promise<HTMLElement> => seen('textbox', 'SQL query')
const options = (): (string | null)[] => screen.queryAllByRole('option').map(({ textContent }) => textContent)

test('Ctrl-Enter runs the query, and the result shows its number of rows', async () => {
  const { server } = await open()
  await fill(await editor(), 'SELECT email FROM traders')
  await keys('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('ana@mail.example')).toBeDefined()
  expect(screen.getByText('one row in 1,200 ms')).toBeDefined()
  expect(server.of('sandbox.query').map(({ body }) => body)).toEqual([{ sql: 'SELECT email FROM traders' }])
  await waitFor(() => expect(server.of('audit.list')).toHaveLength(2))
})

test('a blank query is not run, by key or by button', async () => {
  const { server } = await open()
  await fill(await editor(), '  ')
  await keys('{Control>}{Enter}{/Control}')
  expect(await seen('button', 'Run')).toHaveProperty('disabled', true)
  expect(server.of('sandbox.query')).toEqual([])
})

test('Tab takes the first suggested name, and the text behind the caret stays', async () => {
  await open()
  const field = await editor()
  await screen.findByText('traders')
  await fill(field, 'SELECT  FROM traders')
  await keys('{Home}{ArrowRight>7/}st')
  await waitFor(() => expect(options()).toEqual(['status']))
  await keys('{Tab}')
  expect(field).toHaveProperty('value', 'SELECT status FROM traders')
  await waitFor(() => expect(field).toHaveProperty('selectionStart', 'SELECT status'.length))
  expect(options()).toEqual([])
})

test('Escape closes the suggestions, and then Tab leaves the field', async () => {
  await open()
  const field = await editor()
  await screen.findByText('traders')
  await fill(field, 'SELECT em FROM wall')
  await waitFor(() => expect(options()).toEqual(['wallets']))
  await keys('{Escape}')
  expect(options()).toEqual([])
  await keys('{Tab}')
  expect(field).toHaveProperty('value', 'SELECT em FROM wall')
  expect(document.activeElement === field).toBe(false)
})

test('a press on a suggested name puts it into the query', async () => {
  await open()
  const field = await editor()
  await screen.findByText('traders')
  await fill(field, 'SELECT mon')
  await press(await seen('option', 'money('))
  expect(field).toHaveProperty('value', 'SELECT money(')
})

test('a refused query shows why and stays, and can be run again', async () => {
  const why = 'SQLite says: no such column: mail'
  const { server } = await open({ 'sandbox.query': () => refusal(422, 'failed', why) })
  await fill(await editor(), 'SELECT mail FROM traders')
  await pressButton('Run')
  expect((await screen.findByRole('alert')).textContent).toContain(why)
  expect(await editor()).toHaveProperty('value', 'SELECT mail FROM traders')
  server.now({ 'sandbox.query': result })
  await pressButton('Try again')
  expect(await seen('table', 'Result')).toBeDefined()
  expect(server.of('sandbox.query')).toHaveLength(2)
})

test('an example query is put into the editor without running it', async () => {
  const { server } = await open()
  await pressButton('Clients by country')
  expect(await editor()).toHaveProperty('value', expect.stringContaining('GROUP BY country'))
  expect(server.of('sandbox.query')).toEqual([])
})

test('a chosen column is added to the query, after a space if there is none', async () => {
  await open()
  const field = await editor()
  await pressButton('Put traders.email into the query')
  await pressButton('Put wallets.held into the query')
  expect(field).toHaveProperty('value', 'email held')
})

test.each([
  ['WALL', ['Put wallets.held into the query']],
  [' email ', ['Put traders.email into the query']],
  ['', ['Put traders.email into the query', 'Put traders.status into the query', 'Put wallets.held into the query']],
])('the SQL page finds tables and columns by a part of their name: “%s”', async (words, found) => {
  await open()
  await screen.findByText('wallets')
  await fill(await seen('textbox', 'Search tables and columns'), words)
  expect(
    screen.getAllByRole('button', { name: /into the query$/ }).map((one) => one.getAttribute('aria-label')),
  ).toEqual(found)
  expect(screen.queryByText('Functions') !== null).toBe(words === '')
})

test('the search of tables and columns says if no table has the name', async () => {
  await open()
  await screen.findByText('wallets')
  await fill(await seen('textbox', 'Search tables and columns'), 'zzz')
  expect(screen.getByText('Nothing is called that')).toBeDefined()
})

test('the user’s earlier queries are listed once each, the newest first, and are put into the editor', async () => {
  const { server } = await open({
    'audit.list': buildPage(
      asked('SELECT 2', '2026-11-20T10:02:00.000Z'),
      asked('SELECT 1', '2026-11-20T10:01:00.000Z'),
      asked('SELECT 2', '2026-11-20T10:00:00.000Z'),
    ),
  })
  await screen.findByText('SELECT 1')
  const history = screen.getAllByTitle('Put this query into the editor')
  expect(history.map((one) => one.querySelector('code')?.textContent)).toEqual(['SELECT 2', 'SELECT 1'])
  expect(history[0]?.querySelector('time')?.getAttribute('datetime')).toBe('2026-11-20T10:02:00.000Z')
  expect(server.of('audit.list')[0]?.query).toMatchObject({ action: 'sandbox.query', actorId: 'usr_me' })
  await press(within(history[1] ?? document.body).getByText('SELECT 1'))
  expect(await editor()).toHaveProperty('value', 'SELECT 1')
})

test('tables that cannot be read show why, and a query runs all the same', async () => {
  await open({ 'sandbox.schema': () => refusal(403, 'forbidden', 'Not for you') })
  await screen.findByRole('alert')
  await fill(await editor(), 'SELECT 1')
  await pressButton('Run')
  expect(await seen('table', 'Result')).toBeDefined()
})
