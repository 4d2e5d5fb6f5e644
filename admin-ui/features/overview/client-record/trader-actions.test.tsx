import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, noAnswer, refusal } from '../../../testing/answers.ts'
import { press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs, trader } from '../../../testing/samples.ts'
import type { Trader } from '../../clients/traders/traders.api.ts'
import { TraderActions } from './trader-actions.tsx'

const DELETED = '2026-11-21T10:00:00.000Z'
const open = (with_: Partial<Trader> = {}, role: Role = 'owner', answers: Answers = {}) =>
  renderPage(<TraderActions trader={trader(with_)} more={[]} />, {
    at: '/traders/trd_1',
    route: '/traders/$id',
    role,
    answers: { 'auth.me': meAs(role), ...answers },
  })
const choose = async (name: string): Promise<void> => {
  await pressButton('Actions')
  await press(await seen('menuitem', name))
}
const confirm = async (title: string, name: string): Promise<void> =>
  press(within(await seen('dialog', title)).getByRole('button', { name }))
const offered = async (): Promise<(string | null)[]> => {
  await pressButton('Actions')
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
}

test.each([
  ['operator', 'active', {}, ['Invite to sign in', 'Suspend', 'Close']],
  ['operator', 'suspended', { status: 'suspended' }, ['Invite to sign in', 'Activate', 'Close']],
  ['operator', 'closed', { status: 'closed' }, ['Invite to sign in', 'Activate']],
  [
    'manager',
    'held',
    { legalHold: true },
    ['Invite to sign in', 'Lift the legal hold', 'Suspend', 'Close', 'Merge with another', 'Delete'],
  ],
  ['owner', 'deleted', { deletedAt: DELETED }, ['Privacy bundle']],
] as const)('the role %s has the actions that it may use on a client who is %s', async (role, _, with_, acts) => {
  await open(with_, role)
  expect(await offered()).toEqual([...acts])
})

test('an owner can view as an active client', async () => {
  await open({})
  expect(await offered()).toContain('View as')
  await press(await seen('menuitem', 'View as'))
  expect(await seen('dialog', /Ana Lima/)).toBeDefined()
})

test('a closed client cannot be viewed as', async () => {
  await open({ status: 'closed' })
  expect(await offered()).not.toContain('View as')
})

test.each([
  ['Suspend', {}, 'Suspend this client', 'Suspend', { status: 'suspended' }, 'Client suspended.'],
  ['Activate', { status: 'closed' }, 'Activate this client', 'Activate', { status: 'active' }, 'Client activated.'],
  ['Close', {}, 'Close this client', 'Close client', { status: 'closed' }, 'Client closed.'],
  ['Place a legal hold', {}, 'Place a legal hold', 'Place hold', { legalHold: true }, 'Legal hold placed.'],
  [
    'Lift the legal hold',
    { legalHold: true },
    'Lift the legal hold',
    'Lift hold',
    { legalHold: false },
    'Legal hold lifted.',
  ],
] as const)(
  '%s asks for confirmation and is done only if nobody changed the client meanwhile',
  async (menu, with_, ...rest) => {
    const [title, label, body, told] = rest
    const { server } = await open(with_, 'manager', { 'traders.update': trader({ version: 5 }) })
    await choose(menu)
    expect(server.of('traders.update')).toEqual([])
    await confirm(title, label)
    expect(await screen.findByText(told)).toBeDefined()
    expect(server.of('traders.update')).toMatchObject([{ params: { id: 'trd_1' }, body, ifMatch: '"4"' }])
  },
)

test('a client is deleted only if nobody changed them meanwhile', async () => {
  const { server } = await open({}, 'manager', { 'traders.delete': new Response(null, { status: 204 }) })
  await choose('Delete')
  await confirm('Delete this client', 'Delete client')
  expect(await screen.findByText('Client deleted.')).toBeDefined()
  expect(server.of('traders.delete')).toMatchObject([{ params: { id: 'trd_1' }, ifMatch: '"4"' }])
})

test('a suspension has no Undo, since another person lifts it', async () => {
  await open({}, 'owner', { 'traders.update': trader({ status: 'suspended', version: 5 }) })
  await choose('Suspend')
  await confirm('Suspend this client', 'Suspend')
  expect(await screen.findByText('Client suspended.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('a deleted client is restored by Undo', async () => {
  const { server } = await open({}, 'owner', {
    'traders.delete': new Response(null, { status: 204 }),
    'traders.restore': trader(),
  })
  await choose('Delete')
  await confirm('Delete this client', 'Delete client')
  await pressButton('Undo')
  await waitFor(() => expect(server.of('traders.restore')).toHaveLength(1))
})

test('what prevents a deletion is shown in the dialog, which stays open', async () => {
  await open({}, 'manager', { 'traders.delete': refusal(409, 'open_money', 'The client still has 1200.00 EUR.') })
  await choose('Delete')
  await confirm('Delete this client', 'Delete client')
  expect(await screen.findByText('The client still has 1,200.00 EUR.')).toBeDefined()
  expect(await seen('dialog', 'Delete this client')).toBeDefined()
})

test('an action on a client that a colleague changed first is reported, and the client is read again', async () => {
  await open({}, 'manager', { 'traders.update': refusal(412, 'version_mismatch', 'A colleague changed it.') })
  await choose('Suspend')
  await confirm('Suspend this client', 'Suspend')
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
  await pressButton('Load the current version')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('an invitation of a client that got no answer is sent again with the same Idempotency-Key', async () => {
  let times = 0
  const { server } = await open({}, 'operator', {
    'traders.invite': () => (++times === 1 ? noAnswer() : new Response(null, { status: 204 })),
  })
  await choose('Invite to sign in')
  await confirm('Invite to sign in', 'Send invitation')
  expect(await screen.findByText(/No answer came/)).toBeDefined()
  await pressButton('Send invitation')
  expect(await screen.findByText('Invitation sent.')).toBeDefined()
  const [first, second] = server.of('traders.invite')
  expect(second?.key).toBe(first?.key ?? 'none')
})

test('a manager restores a deleted client after a question', async () => {
  const { server } = await open({ deletedAt: DELETED }, 'manager', { 'traders.restore': trader() })
  await pressButton('Restore')
  await confirm('Restore this client', 'Restore')
  expect(await screen.findByText('Client restored.')).toBeDefined()
  expect(server.of('traders.restore')).toHaveLength(1)
})

test('a client who was merged into another one cannot be restored', async () => {
  await open({ deletedAt: DELETED, mergedInto: 'trd_2' })
  await seen('button', 'Actions')
  expect(screen.queryByRole('button', { name: 'Restore' })).toBeNull()
})

test('a merge begins with this client as the remaining one', async () => {
  const { address } = await open({}, 'manager')
  await choose('Merge with another')
  await waitFor(() => expect(address()).toBe('/merge?primary=trd_1'))
})

test('the privacy bundle is saved under the client’s id, and a refusal is shown and saves nothing', async () => {
  const saved: string[] = []
  const click = HTMLAnchorElement.prototype.click
  HTMLAnchorElement.prototype.click = function () {
    saved.push(this.download)
  }
  try {
    const { server } = await open({ id: 'trd_01m85449gq' }, 'owner', {
      'traders.privacyBundle': refusal(403, 'forbidden', 'Only the owner takes data away.'),
    })
    await choose('Privacy bundle')
    await confirm('Download the privacy bundle', 'Download')
    expect(await screen.findByText('Only the owner takes data away.')).toBeDefined()
    expect(saved).toEqual([])
    const headers = { 'content-disposition': 'attachment; filename="client-m85449gq.zip"' }
    server.now({ 'traders.privacyBundle': new Response('zip', { headers }) })
    await confirm('Download the privacy bundle', 'Download')
    expect(await screen.findByText('The bundle is in your downloads.')).toBeDefined()
    expect(saved).toEqual(['client-m85449gq.zip'])
  } finally {
    HTMLAnchorElement.prototype.click = click
  }
})
