import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import type { Mail } from './mail.api.ts'
import { MailList } from './mail-list.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const LINK = 'https://office.example/admin/reset?token=tok_1'
const mail = (with_: Partial<Mail> = {}): Mail => ({
  id: 'mai_1',
  recipient: 'ana@x.eu',
  subject: 'A new password',
  status: 'held',
  attempts: 0,
  nextAttemptAt: null,
  lastError: null,
  createdAt: AT,
  expiresAt: AT,
  ...with_,
})
const open = (answers: Answers = {}) =>
  renderPage(<MailList />, {
    at: '/mail',
    route: '/mail',
    role: 'admin',
    answers: {
      'mails.list': buildPage(mail()),
      'mails.get': { ...mail(), text: `Hello,\nopen ${LINK}\nIt works once.` },
      ...answers,
    },
  })

test('a mail is shown in its drawer, with a button for its link', async () => {
  const { server } = await open()
  await press(await screen.findByText('A new password'))
  const drawer = await screen.findByRole('dialog', { name: 'Mail' })
  expect(await within(drawer).findByText(/It works once\./)).toBeDefined()
  expect(within(drawer).getByText('Waits here')).toBeDefined()
  expect(within(drawer).getByRole('button', { name: 'Copy link' })).toBeDefined()
  expect(server.of('mails.get').map(({ params }) => params)).toEqual([{ id: 'mai_1' }])
})

test('the text of a mail with its link is not kept once the mail is closed', async () => {
  const { client } = await open()
  await press(await screen.findByText('A new password'))
  const drawer = await screen.findByRole('dialog', { name: 'Mail' })
  await within(drawer).findByText(/It works once\./)
  await press(within(drawer).getAllByRole('button')[0] ?? drawer)
  await waitFor(() => expect(screen.queryByText(/It works once\./)).toBeNull())
  await waitFor(() => expect(client.getQueryData(['mail', 'one', 'mai_1'])).toBeUndefined())
})

test('a mail without a link has no copy button, and a failed one shows the reason', async () => {
  await open({ 'mails.get': { ...mail({ status: 'failed', lastError: 'Mailbox full' }), text: 'Hello.' } })
  await press(await screen.findByText('A new password'))
  expect(await screen.findByText('Mailbox full')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Copy link' })).toBeNull()
})

test('a mail that was removed meanwhile is reported as gone', async () => {
  await open({ 'mails.get': refusal(404, 'not_found', 'Gone.') })
  await press(await screen.findByText('A new password'))
  expect(await screen.findByText('It does not exist, or it has been deleted.')).toBeDefined()
})

test.each([
  ['held', 'Waits here'],
  ['queued', 'On its way'],
  ['sent', 'Sent'],
  ['failed', 'Failed'],
] as const)('a mail that is %s is shown as “%s”', async (status, words) => {
  await open({ 'mails.list': buildPage(mail({ status })) })
  expect(await within(await seen('table', 'Mail')).findByText(words)).toBeDefined()
})

test('an empty list of mails explains how long a mail is kept', async () => {
  await open({ 'mails.list': buildPage() })
  expect(await screen.findByText('A mail stays here as long as the link in it works.')).toBeDefined()
})

test('a waiting or failed mail is sent again from its drawer', async () => {
  const { server } = await open({ 'mails.send': { results: [{ id: 'mai_1', ok: true }] } })
  await press(await screen.findByText('A new password'))
  const drawer = await screen.findByRole('dialog', { name: 'Mail' })
  await press(await within(drawer).findByRole('button', { name: 'Send again' }))
  await pressButton('Send')
  const shown = within(await seen('dialog', 'Send again'))
  expect(await shown.findByText('On its way')).toBeDefined()
  expect(server.of('mails.send').map(({ params, body }) => [params, body])).toEqual([[{ id: 'mai_1' }, {}]])
})

test('sending a mail without a mail server keeps the dialog open, which says who sets one up', async () => {
  await open({ 'mails.send': refusal(409, 'mails.no_server', 'Whoever runs this installation sets one.') })
  await press(await screen.findByText('A new password'))
  await pressButton('Send again')
  await pressButton('Send')
  expect(await screen.findByText('Whoever runs this installation sets one.')).toBeDefined()
})

test('several mails are sent in one request, and one that was not sent says why', async () => {
  const results = [
    { id: 'mai_1', ok: true },
    { id: 'mai_2', ok: false, message: 'The link in this mail no longer works.' },
  ]
  const { server } = await open({
    'mails.list': buildPage(
      mail(),
      mail({ id: 'mai_2', recipient: 'bo@x.eu', status: 'failed' }),
      mail({ id: 'mai_3', recipient: 'ci@x.eu', status: 'sent' }),
    ),
    'mails.send': { results },
  })
  for (const name of [/ana@x\.eu/, /bo@x\.eu/]) await press(await seen('checkbox', name))
  await pressButton('Send again')
  await pressButton('Send')
  expect(await screen.findByText('The link in this mail no longer works.')).toBeDefined()
  expect(server.of('mails.send').map(({ params, body }) => [params, body])).toEqual([
    [{ id: 'mai_1' }, { ids: ['mai_2'] }],
  ])
})

test('a mail that was sent has no button to send it again', async () => {
  await open({ 'mails.get': { ...mail({ status: 'sent' }), text: 'Hello.' } })
  await press(await screen.findByText('A new password'))
  await screen.findByText('Hello.')
  expect(screen.queryByRole('button', { name: 'Send again' })).toBeNull()
})
