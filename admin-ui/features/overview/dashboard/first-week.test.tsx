import { expect, test } from 'bun:test'
import type { Answer } from '../../../operations.ts'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import type { Step } from './first-week.api.ts'
import { FirstWeek, FirstWeekBar } from './first-week.tsx'

type Progress = Answer<'setup.progress'>
const STEPS: readonly Step[] = [
  'first_colleague',
  'sanctions_list',
  'first_client',
  'first_deposit',
  'mail_server',
  'working_hours',
]
const progress = (done: readonly Step[] = [], with_: Partial<Progress> = {}): Progress => ({
  steps: STEPS.map((step) => ({ step, done: done.includes(step) })),
  complete: false,
  putAway: false,
  version: 0,
  ...with_,
})
type Setting = { role?: 'operator' | 'manager' | 'admin'; answers?: Answers }
const open = (answer: Progress, { role = 'admin', answers = {} }: Setting = {}) =>
  renderPage(
    <>
      <FirstWeek place="first" />
      <h2>Money</h2>
      <FirstWeek place="later" />
    </>,
    { role, answers: { 'setup.progress': answer, ...answers } },
  )
const headings = (): (string | null)[] => screen.getAllByRole('heading').map(({ textContent }) => textContent)

test('the first steps are shown as done or open, with links to their pages', async () => {
  await open(progress(['mail_server']))
  expect(await screen.findByText('1 of 6 done. This box goes away when all are.')).toBeDefined()
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain(
    'Connect a mail server is done',
  )
  expect((await seen('link', 'Load a sanctions list')).getAttribute('href')).toBe('/admin/sanctions?tab=lists&new=1')
  expect((await seen('link', 'Set your working hours')).getAttribute('href')).toBe('/admin/settings?tab=support')
  expect(screen.getByText('Until one is loaded, nobody is screened.')).toBeDefined()
})

test('the first steps come before the money while no deposit is settled', async () => {
  await open(progress())
  expect(await seen('heading', 'Set up Meridian Markets')).toBeDefined()
  expect(headings()).toEqual(['Set up Meridian Markets', 'To the first settled deposit', 'Later', 'Money'])
})

test('the first steps come after the money once the first deposit is settled', async () => {
  await open(progress(['first_deposit']))
  await seen('heading', 'Set up Meridian Markets')
  expect(headings()).toEqual(['Money', 'Set up Meridian Markets', 'Later'])
  expect(screen.queryByText(/^Continue/)).toBeNull()
})

test.each([
  ['all is done', progress(STEPS, { complete: true })],
  ['it was put away', progress([], { putAway: true })],
])('the first steps disappear when %s', async (_, answer) => {
  const { server } = await open(answer)
  await waitFor(() => expect(server.of('setup.progress')).toHaveLength(1))
  expect(headings()).toEqual(['Money'])
})

test('an operator does not read the first steps, since they can do none of them', async () => {
  const { server } = await open(progress(), { role: 'operator' })
  expect(headings()).toEqual(['Money'])
  expect(server.of('setup.progress')).toEqual([])
})

test('a manager sees the administrator’s first steps without links, and cannot dismiss them', async () => {
  await open(progress(), { role: 'manager' })
  expect(await seen('link', 'Add your first client')).toBeDefined()
  expect(screen.getByText('Connect a mail server')).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Connect a mail server' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Hide' })).toBeNull()
})

test('dismissing the first steps is sent once, and removes them from the page', async () => {
  const { server } = await open(progress(), { answers: { 'setup.progress.set': progress([], { putAway: true }) } })
  await pressButton('Hide')
  await waitFor(() => expect(headings()).toEqual(['Money']))
  expect(server.of('setup.progress.set').map(({ body }) => body)).toEqual([{ putAway: true }])
})

test('a refused dismissal is shown, and the first steps stay', async () => {
  await open(progress(), {
    answers: { 'setup.progress.set': refusal(409, 'conflict', 'A colleague did it just now.') },
  })
  await pressButton('Hide')
  expect((await screen.findByRole('alert')).textContent).toBe('A colleague did it just now.')
  expect(headings()).toContain('Set up Meridian Markets')
})

const bar = (answer: Progress, { role = 'admin' }: Setting = {}, at = '/deposits') =>
  renderPage(<FirstWeekBar />, { role, at, route: at, answers: { 'setup.progress': answer } })

test.each<[readonly Step[], string, string]>([
  [[], 'Continue: Invite a colleague as manager', '/admin/users?new=manager'],
  [['first_colleague'], 'Continue: Load a sanctions list', '/admin/sanctions?tab=lists&new=1'],
  [['first_colleague', 'sanctions_list'], 'Continue: Add your first client', '/admin/traders?new=1'],
  [
    ['first_colleague', 'sanctions_list', 'first_client'],
    'Continue: Settle your first deposit',
    '/admin/deposits?new=1',
  ],
])('with %j done the box above a page opens the form of the next step', async (done, name, href) => {
  await bar(progress(done))
  expect((await seen('link', name)).getAttribute('href')).toBe(href)
  // the first deposit has a link of its own, for a reader who cannot do the next step yet
  expect((await seen('link', 'Settle your first deposit')).getAttribute('href')).toBe('/admin/deposits?new=1')
})

test.each([
  ['the first deposit is settled', progress(['first_deposit']), '/deposits'],
  ['the steps were put away', progress([], { putAway: true }), '/deposits'],
  ['the page is the dashboard, which has them', progress(), '/'],
])('there is no box above a page when %s', async (_, answer, at) => {
  const { server } = await bar(answer, {}, at)
  await waitFor(() => expect(server.of('setup.progress')).toHaveLength(1))
  expect(screen.queryByRole('region')).toBeNull()
})

test('a manager who may not do the next step is not offered it', async () => {
  await bar(progress(), { role: 'manager' })
  expect(await seen('link', 'Add your first client')).toBeDefined()
  expect(screen.queryByText(/^Continue/)).toBeNull()
})
