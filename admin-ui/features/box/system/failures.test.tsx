import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import { BackupsSection, RestoreProven } from './backups-section.tsx'
import { JobsSection } from './jobs-section.tsx'
import type { Backups, Job } from './system.api.ts'

const AT = '2026-01-05T10:00:00.000Z'
const role: Role = 'platform_admin'
const job: Job = {
  name: 'mail.send',
  about: 'Sends mails',
  everySeconds: 60,
  running: false,
  lastRun: null,
  lastWork: null,
}
const backups: Backups = {
  replica: null,
  running: [],
  provenAt: null,
  drill: null,
  nextCursor: null,
  data: [
    {
      id: 'bkp_1',
      reason: 'upgrade',
      createdAt: AT,
      schema: 40,
      version: '1.4.0',
      bytes: 2_500_000_000,
      packedBytes: 900_000,
    },
  ],
}
const openBackups = (answers: Answers = {}) =>
  renderPage(<BackupsSection />, { role, answers: { 'auth.me': meAs(role), 'system.backups': backups, ...answers } })

test.each([
  ['Take a snapshot now', 'system.takeBackup'],
  ['Run a drill now', 'system.drill'],
] as const)('“%s” that did not start shows why, and can be pressed again', async (name, id) => {
  const { server } = await openBackups({ [id]: refusal(409, 'running', 'Another one is running.') })
  await pressButton(name)
  expect(await screen.findByText('Another one is running.')).toBeDefined()
  await pressButton(name)
  await waitFor(() => expect(server.of(id)).toHaveLength(2))
})

test('a job that did not start shows why', async () => {
  await renderPage(<JobsSection />, {
    role,
    answers: {
      'auth.me': meAs(role),
      'system.jobs': buildPage(job),
      'system.runJob': refusal(403, 'forbidden', 'Only on the leading node.'),
    },
  })
  await pressButton('Run mail.send now')
  expect(await screen.findByText('Only on the leading node.')).toBeDefined()
})

test('a snapshot shows its size, and a failed download is reported', async () => {
  await openBackups({ 'system.downloadBackup': refusal(404, 'not_found', 'This snapshot is gone.') })
  const cells = within(await seen('row', /Jan 5, 2026/)).getAllByRole('cell')
  expect(cells.map(({ textContent }) => textContent).slice(2, 4)).toEqual(['900 kB', '2.5 GB'])
  await pressButton(/bkp_1/)
  expect(await screen.findByText('This snapshot is gone.')).toBeDefined()
})

test('“Try again” reads the list of copies that could not be read', async () => {
  let tries = 0
  await openBackups({ 'system.backups': () => (++tries < 4 ? noAnswer() : backups) })
  await pressButton('Try again')
  expect(await seen('row', /Jan 5, 2026/)).toBeDefined()
})

test.each([
  [true, AT, true],
  [false, AT, false],
  [true, null, false],
])('a drill with the success %p and the proof at %p is shown as a line: %p', async (ok, provenAt, isTold) => {
  await renderPage(
    <>
      <RestoreProven />
      <p>there</p>
    </>,
    {
      role,
      answers: {
        'system.backups': { ...backups, provenAt, drill: { at: AT, ok, replica: null, snapshot: null } },
      },
    },
  )
  await screen.findByText('there')
  await waitFor(() => expect(screen.queryByText('Jan 5, 2026') !== null).toBe(isTold))
})
