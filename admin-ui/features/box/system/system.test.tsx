import { expect, test } from 'bun:test'
import type { Answer } from '../../../operations.ts'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { act, fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { BackupsSection } from './backups-section.tsx'
import { BoxesSection } from './boxes-section.tsx'
import { JobsSection } from './jobs-section.tsx'
import { RecoveryKeyPage } from './recovery-key-page.tsx'
import { StandbySection } from './standby-section.tsx'
import { StatusSection } from './status-section.tsx'
import type { Backups, Job, JobRun } from './system.api.ts'

const AT = '2026-11-20T10:00:00.000Z'
const WORDS = ['able', 'baker', 'charlie', 'dog', 'easy', 'fox']
const KEPT = { at: AT, how: 'words', statement: null, by: 'usr_me' } as const
const PROGRESS: Answer<'setup.progress'> = {
  steps: [{ step: 'first_colleague', done: false }],
  complete: false,
  putAway: false,
  version: 0,
}
const role = 'platform_admin' as const

const openKey = (answers: Answers = {}, search = '') =>
  renderPage(<RecoveryKeyPage />, {
    at: `/recovery-key${search}`,
    route: '/recovery-key',
    role,
    answers: {
      'system.recoveryKey': { kept: null },
      'system.recoveryWords': Response.json({ words: WORDS }),
      'system.keepRecoveryKey': { kept: KEPT },
      'setup.progress': PROGRESS,
      ...answers,
    },
  })
/** Finds the places that the page asks for, each with its field. */
const asked = async (): Promise<{ place: number; field: HTMLElement }[]> =>
  (await screen.findAllByLabelText(/^Word \d/)).map((field) => ({
    place: Number(/\d+/.exec(document.querySelector(`label[for="${field.id}"]`)?.textContent ?? '')?.[0]),
    field,
  }))

test('the recovery key is shown on request, and three of its words are typed back by their places', async () => {
  const { server } = await openKey()
  await seen('button', 'Show the words')
  expect(server.of('system.recoveryWords')).toEqual([])
  await pressButton('Show the words')
  expect((await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual(WORDS)
  await pressButton('I have written them down')
  expect(screen.queryByText('charlie')).toBeNull()
  const fields = await asked()
  expect(fields.map(({ place }) => place)).toEqual([...new Set(fields.map(({ place }) => place))].sort((a, b) => a - b))
  for (const { place, field } of fields) await fill(field, ` ${WORDS[place - 1] ?? ''} `)
  await pressButton('Check the words')
  expect(await screen.findByText('Noted: the key is kept.')).toBeDefined()
  expect(server.of('system.keepRecoveryKey').map(({ body }) => body)).toEqual([
    { words: fields.map(({ place }) => ({ place, word: WORDS[place - 1] })) },
  ])
  expect(await screen.findByText(/^Somebody confirmed the key by typing words/)).toBeDefined()
  // the page leads on to the next step of the set-up
  expect((await seen('link', 'Continue: Invite a colleague as manager')).getAttribute('href')).toBe(
    '/admin/users?new=manager',
  )
})

test('the page of a kept recovery key leads on to the dashboard if the firm is set up', async () => {
  await openKey({ 'system.recoveryKey': { kept: KEPT }, 'setup.progress': { ...PROGRESS, putAway: true } })
  expect((await seen('link', 'Go to the dashboard')).getAttribute('href')).toBe('/admin/')
})

test('a missing word of the key is reported at its place, and a wrong one is refused', async () => {
  const { server } = await openKey({
    'system.keepRecoveryKey': refusal(400, 'validation_failed', 'Not valid.', [
      { path: '/words/1/word', message: 'is another word' },
    ]),
  })
  await pressButton('Show the words')
  await pressButton('I have written them down')
  await pressButton('Check the words')
  expect(await screen.findAllByText('Type this word from your paper')).toHaveLength(3)
  for (const { field } of await asked()) await fill(field, 'x')
  await pressButton('Check the words')
  expect(await screen.findByText('Is another word')).toBeDefined()
  expect(server.of('system.keepRecoveryKey')).toHaveLength(1)
})

test('the recovery key’s page cannot be left before the key is kept', async () => {
  const { router, address } = await openKey()
  await pressButton('Show the words')
  await screen.findByText('charlie')
  act(() => void router.navigate({ to: '/kyc' }))
  expect(await screen.findByText(/^Type the three words first/)).toBeDefined()
  expect(address()).toBe('/recovery-key')
})

test('a statement of where the recovery key is kept replaces typing its words', async () => {
  const { server } = await openKey({
    'system.keepRecoveryKey': { kept: { ...KEPT, how: 'elsewhere', statement: 'In the safe' } },
  })
  await pressButton('The key is kept elsewhere')
  await pressButton('Note this')
  expect(await screen.findByText('Say where the key is')).toBeDefined()
  await fill(await screen.findByLabelText(/^Where the key is kept/), 'In the safe')
  await pressButton('Note this')
  expect(await screen.findByText('“In the safe”')).toBeDefined()
  expect(server.of('system.keepRecoveryKey').map(({ body }) => body)).toEqual([{ elsewhere: 'In the safe' }])
  expect(server.of('system.recoveryWords')).toEqual([])
})

test.each([
  ['shows the words at once', null, 1],
  ['asks for nothing once they are kept', KEPT, 0],
] as const)('the first visit to the recovery key after the set-up %s', async (_, kept, times) => {
  const { server } = await openKey({ 'system.recoveryKey': { kept } }, '?first=1')
  if (times > 0) expect(await screen.findByText('charlie')).toBeDefined()
  else expect(await seen('button', 'Show the words')).toBeDefined()
  expect(server.of('system.recoveryWords')).toHaveLength(times)
})

const run = (with_: Partial<JobRun> = {}): JobRun => ({
  status: 'done',
  detail: null,
  startedAt: AT,
  endedAt: AT,
  ...with_,
})
const job = (with_: Partial<Job> = {}): Job => ({
  name: 'mail.send',
  about: 'Sends mail.',
  everySeconds: 30,
  running: false,
  lastRun: run(),
  lastWork: null,
  ...with_,
})

test.each([
  [1, 'second'],
  [30, '30 seconds'],
  [60, 'minute'],
  [5400, '90 minutes'],
  [7200, '2 hours'],
  [90, '90 seconds'],
  [86_400, 'day'],
])('a job every %i seconds shows “%s”', async (everySeconds, words) => {
  await renderPage(<JobsSection />, { role, answers: { 'system.jobs': buildPage(job({ everySeconds })) } })
  expect(await seen('cell', words)).toBeDefined()
})

test('a job is started by its button, and a running job cannot be started', async () => {
  const { server } = await renderPage(<JobsSection />, {
    role,
    answers: {
      'system.jobs': buildPage(
        job({ lastRun: run({ status: 'failed', detail: 'No route' }) }),
        job({ name: 'backups.drill', running: true }),
      ),
      'system.runJob': Response.json({}),
    },
  })
  expect(await screen.findByText('No route')).toBeDefined()
  expect((await seen('button', 'Run backups.drill now')).hasAttribute('disabled')).toBe(true)
  await pressButton('Run mail.send now')
  expect(await screen.findByText('mail.send was started.')).toBeDefined()
  expect(server.of('system.runJob').map(({ params }) => params)).toEqual([{ name: 'mail.send' }])
  await waitFor(() => expect(server.of('system.jobs').length).toBeGreaterThan(1))
})

const backups = (with_: Partial<Backups> = {}): Backups => ({
  replica: null,
  running: [],
  provenAt: null,
  drill: null,
  nextCursor: null,
  data: [],
  ...with_,
})
const DRILL = { at: AT, ok: true, replica: null, snapshot: null }
const BAD = { ok: false, source: 'replica', seconds: 3, faults: ['Entry 7 is missing'], check: null }

test.each([
  ['never', backups(), /^No copy has been restored yet/],
  ['with success', backups({ drill: DRILL, provenAt: AT }), /^Every copy was proven to restore/],
  ['with a fault', backups({ drill: { ...DRILL, ok: false, replica: BAD } }), /^Entry 7 is missing/],
] as const)('the list of copies says that they were restored %s', async (_, answer, words) => {
  await renderPage(<BackupsSection />, { role, answers: { 'system.backups': answer } })
  expect(await screen.findByText(words)).toBeDefined()
  expect(screen.getByText('No snapshot yet')).toBeDefined()
})

test.each([
  ['Take a snapshot now', 'system.takeBackup', 'snapshot', 'A snapshot is being taken.'],
  ['Run a drill now', 'system.drill', 'drill', 'The drill has begun.'],
] as const)('“%s” is requested once, and is busy as long as the server says so', async (name, id, running, words) => {
  const { server } = await renderPage(<BackupsSection />, {
    role,
    answers: { 'system.backups': backups(), [id]: backups({ running: [running] }) },
  })
  await pressButton(name)
  expect(await screen.findByText(words)).toBeDefined()
  expect((await seen('button', name)).hasAttribute('data-loading')).toBe(true)
  await press(await seen('button', name))
  expect(server.of(id)).toHaveLength(1)
})

test('a late replica shows its delay, and snapshots show why they were taken', async () => {
  await renderPage(<BackupsSection />, {
    role,
    answers: {
      'system.backups': backups({
        replica: { url: 's3://copies', state: 'running', why: null, history: null, lagSeconds: 42.4, syncedAt: AT },
        data: [
          { id: 'snap_1', schema: 1, version: '1', reason: 'upgrade', bytes: 2048, packedBytes: 1024, createdAt: AT },
        ],
      }),
    },
  })
  expect(await screen.findByText(/Behind for 42 seconds\./)).toBeDefined()
  const table = within(await seen('table', 'Snapshots'))
  expect(table.getByText('Before an upgrade')).toBeDefined()
  expect(table.getByRole('button', { name: 'Download snap_1' })).toBeDefined()
})

const status = (with_: Partial<Answer<'system.status'>> = {}): Answer<'system.status'> => ({
  version: '2.1.0',
  commit: 'abc1234',
  schema: 40,
  sqlite: '3.50',
  startedAt: AT,
  now: AT,
  memoryBytes: 1024,
  disk: { freeBytes: 1024, totalBytes: 4096 },
  databases: [],
  replica: null,
  standby: null,
  provenAt: AT,
  certificate: null,
  keyKept: true,
  failedJobs: [],
  warnings: [],
  ...with_,
})

test.each([
  ['jobs that failed', status({ failedJobs: ['mail.send', 'fx.rates'] }), 'Jobs that failed', 'mail.send, fx.rates'],
  [
    'a certificate that is not there yet',
    status({ certificate: { source: 'acme', notAfter: null, names: ['a.eu', 'b.eu'], lastError: null } }),
    'Certificate until',
    'none yet a.eu, b.eu',
  ],
  ['the program', status(), 'Version', '2.1.0 (abc1234)'],
] as const)('the state of the installation names %s', async (_, answer, name, words) => {
  await renderPage(<StatusSection />, { role, answers: { 'system.status': answer } })
  expect((await screen.findByText(name)).nextElementSibling?.textContent).toBe(words)
})

test('the state of the installation names no failure and no certificate if there is none', async () => {
  await renderPage(<StatusSection />, { role, answers: { 'system.status': status() } })
  await screen.findByText('Version')
  for (const name of ['Jobs that failed', 'Certificate until']) expect(screen.queryByText(name)).toBeNull()
})

test('a standby says whom it follows, how old its data is, and how it takes over', async () => {
  const standby = {
    primary: 'https://office.test',
    history: '01m8',
    ageSeconds: 75,
    stale: true,
    silentSeconds: 0,
    clockAheadSeconds: -4,
  }
  await renderPage(
    <StandbySection standby={standby} warnings={[{ code: 'standby_clock', severity: 'warning', text: 'off' }]} />,
    { role, answers: {} },
  )
  const readValue = (name: string) => screen.getByText(name).nextElementSibling
  expect((await screen.findByRole('link')).getAttribute('href')).toBe('https://office.test/admin/')
  expect([readValue('Age of the data')?.textContent, readValue('Age of the data')?.className]).toEqual([
    '75 seconds',
    'error-text',
  ])
  expect([readValue('Clocks apart')?.textContent, readValue('Clocks apart')?.className]).toEqual([
    '4 seconds',
    'error-text',
  ])
  expect(screen.getByText('brokerbase promote')).toBeDefined()
})

const BOX = {
  name: 'office-1',
  url: 'https://10.0.0.1:8443',
  error: null,
  self: {
    role: 'primary',
    ageSeconds: null,
    version: '2.1.0',
    schema: 40,
    replica: { lagMs: 2_400 },
    disk: { freeBytes: 1024, totalBytes: 4096 },
    provenAt: AT,
    reads: { url: 'https://10.0.0.2:8443', there: 1240, here: 3 },
    firms: [
      { id: 'tnt_1', slug: 'acme', domain: 'acme.test', state: 'active' },
      { id: 'tnt_2', slug: 'other', domain: null, state: 'active' },
    ],
  },
} as const
const SILENT = { name: 'office-2', url: 'https://10.0.0.2:8443', error: 'no answer', self: null } as const

test('each named box shows what it says of itself, or why it says nothing', async () => {
  const answers = {
    'system.boxes': { boxes: [{ ...BOX, self: { ...BOX.self, firms: [...BOX.self.firms] } }, SILENT], version: 1 },
  }
  await renderPage(<BoxesSection canChange />, { role, answers })
  const table = within(await seen('table', 'Boxes'))
  for (const text of [
    'writes',
    '2 seconds',
    'acme.test, other',
    'no answer',
    '1,240 heavy reads on 10.0.0.2:8443, 3 here',
  ])
    expect(table.getByText(text)).toBeDefined()
})

test('boxes are named in a form, which says what is wrong with a name or an address', async () => {
  const asked: unknown[] = []
  const answers: Answers = {
    'system.boxes': { boxes: [], version: 1 },
    'system.setBoxes': ({ body }) => {
      asked.push(body)
      return { boxes: [], version: 2 }
    },
  }
  await renderPage(<BoxesSection canChange />, { role, answers })
  await screen.findByText('No boxes are named')
  await pressButton('Change')
  const form = within(await screen.findByRole('dialog'))
  await fill(form.getByLabelText('Name'), 'Office 1')
  await fill(form.getByLabelText('Address'), 'ftp://10.0.0.1')
  await pressButton('Save')
  expect(form.getByText('Such as office-1')).toBeDefined()
  expect(asked).toEqual([])
  await fill(form.getByLabelText('Name'), 'office-1')
  await fill(form.getByLabelText('Address'), 'https://10.0.0.1:8443')
  await pressButton('Save')
  await waitFor(() => expect(asked).toEqual([{ boxes: [{ name: 'office-1', url: 'https://10.0.0.1:8443' }] }]))
})

test('on a standby the boxes cannot be changed', async () => {
  await renderPage(<BoxesSection canChange={false} />, { role, answers: { 'system.boxes': { boxes: [], version: 1 } } })
  await screen.findByText('No boxes are named')
  expect(screen.queryByRole('button', { name: 'Change' })).toBeNull()
})
