import { expect, test } from 'bun:test'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { fill, keys, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import type { AuditEntry, Verdict } from './audit.api.ts'
import { AuditList } from './audit-list.tsx'

const entry = (with_: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 'aud_1',
  seq: 1841,
  at: '2026-11-20T10:00:07.000Z',
  actorKind: 'user',
  actorId: 'usr_marco',
  actorName: 'Marco Rossi',
  apiKeyId: null,
  impersonatorId: null,
  ip: '192.0.2.7',
  requestId: 'req_1',
  action: 'trader.update',
  entity: 'trader',
  entityId: 'trd_1',
  traderId: 'trd_1',
  traderName: 'Ana Lima',
  before: { riskLevel: 'low' },
  after: { riskLevel: 'high' },
  erased: false,
  hash: 'h',
  ...with_,
})
const facets = {
  actions: [{ value: 'trader.update', label: 'trader.update', count: 1234 }],
  actors: [{ value: 'usr_marco', label: 'Marco Rossi', count: 7 }],
  entities: [{ value: 'trader', label: 'trader', count: 9 }],
}
const open = (answers: Answers = {}, role: 'manager' | 'admin' = 'admin') =>
  renderPage(<AuditList />, {
    at: '/audit',
    route: '/audit',
    role,
    answers: { 'audit.list': buildPage(entry()), 'audit.facets': facets, ...answers },
  })

test('the audit log opens on actions of people, with the second, the client and the changed fields', async () => {
  const { server } = await open()
  const table = within(await seen('table', 'Audit entries'))
  expect(server.of('audit.list')[0]?.query).toMatchObject({ people: 'true' })
  expect(table.getByText('Client changed')).toBeDefined()
  expect(table.getByText('Marco Rossi')).toBeDefined()
  expect(table.getByText('Ana Lima')).toBeDefined()
  expect(table.getByText('Risk')).toBeDefined()
  expect(table.getByText(/:07\b/)).toBeDefined()
})

test('a search of the audit log keeps to the actions of people', async () => {
  const { server } = await open()
  await fill(await screen.findByLabelText('Client, phone or record id'), '0123')
  await waitFor(() => expect(server.of('audit.list').at(-1)?.query).toMatchObject({ q: '0123', people: 'true' }))
})

test('an API key in the audit log is shown with its maker, and the program by its name', async () => {
  await open({
    'audit.list': buildPage(
      entry({ id: 'aud_2', actorKind: 'api_key', apiKeyId: 'key_1' }),
      entry({ id: 'aud_3', actorKind: 'system', actorId: null, actorName: null, action: 'audit.anchor' }),
    ),
  })
  const table = within(await seen('table', 'Audit entries'))
  expect(table.getByText('Marco Rossi (API key)')).toBeDefined()
  expect(table.queryByText('null')).toBeNull()
})

test('an audit entry opens with values before and after, and its number in the log', async () => {
  await open()
  await seen('table', 'Audit entries')
  await keys('{ArrowDown}{Enter}')
  const drawer = within(await seen('dialog', /Client changed/))
  expect(drawer.getByText('Low')).toBeDefined()
  expect(drawer.getByText('High')).toBeDefined()
  expect(drawer.getByText('1,841')).toBeDefined()
  expect(drawer.getByText('192.0.2.7')).toBeDefined()
})

test('an empty audit log explains what it will contain', async () => {
  await open({ 'audit.list': buildPage() })
  expect(await screen.findByText('Nothing has happened yet')).toBeDefined()
})

test('only administrators verify the audit log', async () => {
  await open({}, 'manager')
  await seen('table', 'Audit entries')
  expect(screen.queryByRole('button', { name: 'Check the log' })).toBeNull()
})

const whole: Verdict = { entries: 1841, intact: true, firstBroken: null, head: '1841:abc', anchored: null }
const check = async (answer: NonNullable<Answers['audit.verify']>) => {
  const page = await open({ 'audit.verify': answer })
  await pressButton('Check the log')
  return { ...page, dialog: within(await seen('dialog', 'Check the audit log')) }
}

test('an intact audit log shows how many entries it has, and its last line to keep', async () => {
  const { dialog } = await check(whole)
  expect(await dialog.findByText('The audit log is whole')).toBeDefined()
  expect(dialog.getByText(/1,841 entries hold/)).toBeDefined()
  expect(dialog.getByText('1841:abc')).toBeDefined()
})

test('a broken audit log names the first wrong entry, and why', async () => {
  const { dialog } = await check({
    ...whole,
    entries: 12,
    intact: false,
    firstBroken: { seq: 13, id: 'aud_13', reason: 'its content was changed' },
  })
  expect(await dialog.findByText(/12 entries hold\. The first that does not is number 13/)).toBeDefined()
  expect(dialog.getByText(/its content was changed/)).toBeDefined()
})

test('a pasted line of the audit log is looked for without outer blanks, and reported if missing', async () => {
  const { dialog, server } = await check(({ query }) => ({ ...whole, anchored: query.anchor ? false : null }))
  await dialog.findByText('The audit log is whole')
  await fill(dialog.getByLabelText(/^Line from an earlier audit mail/), ' 1200:xyz ')
  await pressButton('Check this line')
  expect(await dialog.findByText(/its end was cut off and written anew/)).toBeDefined()
  expect(server.of('audit.verify').at(-1)?.query).toEqual({ anchor: '1200:xyz' })
})

test('an earlier line of the audit log that exists is reported as found', async () => {
  const { dialog } = await check(({ query }) => ({ ...whole, anchored: query.anchor ? true : null }))
  await dialog.findByText('The audit log is whole')
  await fill(dialog.getByLabelText(/^Line from an earlier audit mail/), '1200:xyz')
  await pressButton('Check this line')
  expect(await dialog.findByText(/The line that you gave is in it\./)).toBeDefined()
})

test.each([
  ['a refusal', () => refusal(429, 'rate_limited', 'Too many requests; wait and repeat.')],
  ['no answer', noAnswer],
] as const)('verifying the audit log shows no result after %s, and can be tried again', async (_name, answer) => {
  let tries = 0
  const { dialog } = await check(() => {
    tries += 1
    return tries === 1 ? answer() : whole
  })
  expect(dialog.queryByText('The audit log is whole')).toBeNull()
  await pressButton('Try again')
  expect(await dialog.findByText('The audit log is whole')).toBeDefined()
})
