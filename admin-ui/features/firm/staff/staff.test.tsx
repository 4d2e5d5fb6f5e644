import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import type { Answer } from '../../../operations.ts'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { colleague, meAs } from '../../../testing/samples.ts'
import type { Mail } from '../../base/mail/mail.api.ts'
import type { User } from '../users/users.api.ts'
import { UserList } from './user-list.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const ana = (with_: Partial<User> = {}): User =>
  colleague({ id: 'usr_ana', email: 'ana@x.eu', displayName: 'Ana Lima', roles: ['operator'], version: 4, ...with_ })
const mail = (with_: Partial<Mail> = {}): Mail => ({
  id: 'mai_1',
  recipient: 'ana@x.eu',
  subject: 'Your invitation',
  status: 'sent',
  attempts: 1,
  nextAttemptAt: null,
  lastError: null,
  createdAt: AT,
  expiresAt: AT,
  ...with_,
})
const LINK = 'https://office.example/admin/accept-invite?token=tok_1'
type Setting = { role?: Role; at?: string; users?: User[]; answers?: Answers }

const open = ({ role = 'admin', at = '/users', users = [ana()], answers = {} }: Setting = {}) =>
  renderPage(<UserList />, {
    at,
    role,
    route: '/users',
    answers: { 'users.list': buildPage(...users), 'auth.me': meAs(role), ...answers },
  })
const openInvite = async (answers: Answers = {}) => {
  const drawn = await open({ at: '/users?new=1', answers: { 'users.invite': ana({ status: 'invited' }), ...answers } })
  await fill(await screen.findByRole('textbox', { name: /^Name/ }), ' Ana ')
  await fill(await screen.findByRole('textbox', { name: /^E-mail/ }), ' ana@x.eu ')
  return drawn
}
const choose = async (act: string, name = 'Ana Lima'): Promise<void> => {
  await pressButton(`Actions for ${name}`)
  await press(await seen('menuitem', act))
}

test('an invitation is sent by mail, and its result is shown', async () => {
  const { server } = await openInvite({ 'mails.list': buildPage(mail()) })
  await pressButton('Invite')
  expect(await screen.findByText('Invitation sent.')).toBeDefined()
  expect(server.of('users.invite').map(({ body }) => body)).toEqual([
    { displayName: 'Ana', email: 'ana@x.eu', roles: ['viewer'], sendInviteLink: true },
  ])
  expect(server.of('mails.list')[0]?.query).toEqual({ recipient: 'ana@x.eu', limit: '1' })
})

test.each([
  ['is queued', buildPage(mail({ status: 'queued' })), 'The invitation is on its way.'],
  ['failed', buildPage(mail({ status: 'failed' })), /the invitation could not be sent; look under Mail/],
  ['cannot be looked up', noAnswer, /the invitation could not be sent; look under Mail/],
] as const)(
  'the form closes and says what became of the mail if a new colleague’s invitation %s',
  async (_, mails, words) => {
    await openInvite({ 'mails.list': mails })
    await pressButton('Invite')
    expect(await screen.findByText(words)).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull())
  },
)

test('without a mail server the link of an invitation is read only on request, for the reader to pass on', async () => {
  const { server } = await openInvite({
    'mails.list': buildPage(mail({ status: 'held' })),
    'mails.get': { ...mail({ status: 'held' }), text: `Welcome!\n${LINK}\nIt works once.` },
  })
  await pressButton('Invite')
  const dialog = await screen.findByRole('dialog', { name: 'No mail server: pass this link on' })
  expect(dialog.textContent).toContain('the account counts as yours too')
  expect(server.of('mails.get')).toEqual([])
  const before = server.of('users.list').length
  await press(within(dialog).getByRole('button', { name: 'Copy link' }))
  expect(await within(dialog).findByText(LINK)).toBeDefined()
  expect(server.of('mails.get').map(({ params }) => params)).toEqual([{ id: 'mai_1' }])
  await waitFor(() => expect(server.of('users.list').length).toBeGreaterThan(before))
  await press(within(dialog).getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByText(LINK)).toBeNull())
})

test('a new colleague’s password is sent instead of a link, and no mail is looked for', async () => {
  const { server } = await openInvite()
  await press(await seen('radio', 'Set a password'))
  await fill(await screen.findByLabelText(/^Password/), 'short')
  await pressButton('Add user')
  expect(await screen.findByText('Use at least 10 characters')).toBeDefined()
  await fill(await screen.findByLabelText(/^Password/), 'long enough')
  await pressButton('Add user')
  expect(await screen.findByText('User added.')).toBeDefined()
  expect(server.of('users.invite').map(({ body }) => body)).toEqual([
    { displayName: 'Ana', email: 'ana@x.eu', roles: ['viewer'], password: 'long enough', sendInviteLink: false },
  ])
})

test('an invitation offers roles up to the reader’s own, and drops Viewer beside a higher one', async () => {
  const { server } = await openInvite({ 'mails.list': buildPage(mail()) })
  const roles = screen.getAllByRole('checkbox').map((box) => box.getAttribute('value'))
  expect(roles).toEqual(['viewer', 'operator', 'manager', 'admin'])
  await press(await seen('checkbox', 'Operator'))
  await pressButton('Invite')
  await waitFor(() => expect(server.of('users.invite')[0]?.body).toMatchObject({ roles: ['operator'] }))
})

test('an address of another colleague is refused at its field', async () => {
  await openInvite({
    'users.invite': refusal(409, 'taken', 'Taken.', [{ path: '/email', message: 'belongs to a colleague' }]),
  })
  await pressButton('Invite')
  expect(await screen.findByText('Belongs to a colleague')).toBeDefined()
})

test('a change of name and roles is two requests, the second with the version that the first made', async () => {
  const { server } = await open({
    role: 'owner',
    answers: { 'users.update': ana({ version: 5 }), 'users.setRoles': ana({ version: 6 }) },
  })
  await choose('Edit')
  await fill(await screen.findByRole('textbox', { name: /^Name/ }), 'Ana L')
  await press(await seen('checkbox', 'Manager'))
  await pressButton('Save')
  expect(await screen.findByText('User saved.')).toBeDefined()
  expect(server.of('users.update')[0]).toMatchObject({ body: { displayName: 'Ana L' }, ifMatch: '"4"' })
  expect(server.of('users.setRoles')[0]).toMatchObject({ body: { roles: ['operator', 'manager'] }, ifMatch: '"5"' })
})

test('the name of a colleague is read-only for an admin, who reads who can change it', async () => {
  await open()
  await choose('Edit')
  const name = await screen.findByRole('textbox', { name: /^Name/ })
  expect(name.hasAttribute('readonly')).toBe(true)
  expect(screen.getByText('Only the colleague or an owner can change this name.')).toBeDefined()
})

test('the former names of a colleague are listed', async () => {
  await open({ users: [ana({ formerNames: [{ name: 'Ana Costa', until: AT }] })] })
  await press(await screen.findByText('Ana Lima'))
  expect(await within(await screen.findByRole('dialog', { name: 'Ana Lima' })).findByText('Ana Costa')).toBeDefined()
})

test('a change of roles alone sends only the roles', async () => {
  const { server } = await open({ answers: { 'users.setRoles': ana({ version: 5 }) } })
  await choose('Edit')
  await press(await seen('checkbox', 'Manager'))
  await pressButton('Save')
  expect(await screen.findByText('User saved.')).toBeDefined()
  expect(server.of('users.setRoles')[0]).toMatchObject({ ifMatch: '"4"' })
})

test('new roles of a colleague are named, and Undo gives the former ones back', async () => {
  const { server } = await open({
    answers: { 'users.setRoles': ana({ roles: ['operator', 'manager'], version: 5 }), 'users.update': ana({}) },
  })
  await choose('Edit')
  await press(await seen('checkbox', 'Manager'))
  await pressButton('Save')
  expect(await screen.findByText(/^User saved\. Roles: .* → Operator, Manager/)).toBeDefined()
  await keys('{Control>}z{/Control}')
  await waitFor(() => expect(server.of('users.setRoles')).toHaveLength(2))
  expect(server.of('users.setRoles')[1]).toMatchObject({ body: { roles: ana({}).roles }, ifMatch: '"5"' })
})

test.each([
  ['Disable', 'Disable', 'users.update', { status: 'disabled' }, '"4"', 'User disabled.'],
  ['Delete', 'Delete user', 'users.delete', null, '"4"', 'User deleted.'],
  ['Reset two-step sign-in', 'Reset', 'users.resetTwoFactor', null, null, 'Two-step sign-in is off for this user.'],
] as const)('“%s” asks first, and reports the result', async (act, confirm, id, body, ifMatch, words) => {
  const { server } = await open({ answers: { 'users.leavesBehind': behind(), [id]: Response.json({}) } })
  await choose(act)
  expect(server.of(id)).toEqual([])
  const before = server.of('users.list').length
  await press(within(await screen.findByRole('dialog')).getByRole('button', { name: confirm }))
  await waitFor(() => expect(server.of(id)).toHaveLength(1))
  expect(server.of(id)[0]).toMatchObject({ params: { id: 'usr_ana' }, body, ifMatch })
  expect(await screen.findByText(words)).toBeDefined()
  await waitFor(() => expect(server.of('users.list').length).toBeGreaterThan(before))
})

const behind = (with_: Partial<Answer<'users.leavesBehind'>> = {}): Answer<'users.leavesBehind'> => ({
  gateways: [],
  adConnections: [],
  terminals: [],
  colleagues: [],
  receivers: [],
  apiKeys: [],
  secretsRead: [],
  imports: [],
  clients: { entered: 0, last30Days: 0 },
  ...with_,
})

test.each(['Disable', 'Delete'])('“%s” first shows what the colleague leaves behind', async (act) => {
  const { server } = await open({
    answers: {
      'users.leavesBehind': behind({
        gateways: [{ id: 'psp_1', label: 'CardPay', at: AT }],
        secretsRead: [
          { what: 'recovery_words', label: null, at: AT },
          { what: 'backup', label: '20261120-020000-nightly', at: AT },
        ],
        clients: { entered: 12, last30Days: 3 },
      }),
    },
  })
  await choose(act)
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByText('CardPay')).toBeDefined()
  for (const words of ['once', '20261120-020000-nightly', '12, of them 3 in the last 30 days', /post nothing until/])
    expect(within(dialog).getByText(words)).toBeDefined()
  expect(within(dialog).queryByText('API keys')).toBeNull()
  expect(server.of('users.leavesBehind').map(({ params }) => params)).toEqual([{ id: 'usr_ana' }])
})

test('the question before a deletion says that a colleague leaves nothing behind; a reset does not ask', async () => {
  const { server } = await open({ answers: { 'users.leavesBehind': behind() } })
  await choose('Delete')
  expect(await screen.findByText('Nothing is known.')).toBeDefined()
  await pressButton('Cancel')
  await choose('Reset two-step sign-in')
  await seen('button', 'Reset')
  expect(server.of('users.leavesBehind')).toHaveLength(1)
})

test('an invitation is sent again, and is shown to be passed on if there is no mail server', async () => {
  const { server } = await open({
    users: [ana({ status: 'invited' })],
    answers: { 'users.resendInvite': Response.json({}), 'mails.list': buildPage(mail({ status: 'held' })) },
  })
  await choose('Send invitation again')
  await pressButton('Send again')
  expect(await seen('dialog', 'No mail server: pass this link on')).toBeDefined()
  expect(server.of('users.resendInvite')).toHaveLength(1)
})

test.each([
  ['active', ['Edit', 'Reset two-step sign-in', 'Disable', 'Delete']],
  ['invited', ['Edit', 'Send invitation again', 'Delete']],
  ['disabled', ['Edit', 'Enable', 'Delete']],
] as const)('a colleague who is %s has the actions %j', async (status, acts) => {
  await open({ users: [ana({ status })] })
  await pressButton('Actions for Ana Lima')
  await seen('menuitem', 'Edit')
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([...acts])
})

test('a user cannot disable or delete themselves, nor act on a colleague with a higher role', async () => {
  await open({
    users: [ana({ id: 'usr_me', displayName: 'Elena' }), ana({ id: 'usr_2', displayName: 'Boss', roles: ['owner'] })],
  })
  await pressButton('Actions for Elena')
  await seen('menuitem', 'Edit')
  expect(screen.getAllByRole('menuitem')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Actions for Boss' })).toBeNull()
})

test.each([
  ['owner', 1],
  ['admin', 0],
] as const)('the role %s has %i actions to view as a colleague', async (role, count) => {
  await open({ role })
  await pressButton('Actions for Ana Lima')
  await seen('menuitem', 'Edit')
  expect(screen.queryAllByRole('menuitem', { name: 'View as' })).toHaveLength(count)
})

test('a manager sees the list of users and changes nothing, whatever the address says', async () => {
  await open({ role: 'manager', at: '/users?new=1' })
  expect(await screen.findByText('Ana Lima')).toBeDefined()
  for (const name of ['Invite a user', 'Invite', 'Actions for Ana Lima'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test.each([
  ['/users?new=manager', 'Manager'],
  ['/users?new=1', 'Viewer'],
])('the form of an invitation at the address %s has only the role %s ticked', async (at, role) => {
  await open({ role: 'admin', at })
  await seen('dialog', 'Invite a user')
  expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(1)
  expect(screen.getByRole('checkbox', { name: new RegExp(`^${role}`), checked: true })).toBeDefined()
})

const shared = ana({
  independence: { alone: false, belongsTo: ['usr_marco'], since: AT, why: 'Marco read the link.' },
})

test('a third person vouches for an account, with a note', async () => {
  const { server } = await open({ users: [shared], answers: { 'users.vouch': ana() } })
  await press(await screen.findByText('Ana Lima'))
  const drawer = await screen.findByRole('dialog', { name: 'Ana Lima' })
  expect(drawer.textContent).toContain('do not count by themselves. Marco read the link.')
  await press(within(drawer).getByRole('button', { name: 'Vouch' }))
  const dialog = await screen.findByRole('dialog', { name: 'Vouch for Ana Lima' })
  await press(within(dialog).getByRole('button', { name: 'Vouch' }))
  expect(await within(dialog).findByText('Say how you know')).toBeDefined()
  await fill(within(dialog).getByLabelText(/^Note/), ' met her ')
  await press(within(dialog).getByRole('button', { name: 'Vouch' }))
  expect(await screen.findByText('Votes of Ana Lima count now.')).toBeDefined()
  expect(server.of('users.vouch')[0]).toMatchObject({ params: { id: 'usr_ana' }, body: { note: 'met her' } })
})
const mine = ana({ independence: { ...shared.independence, belongsTo: ['usr_me'] } })

test.each([
  ['if the account is partly theirs', mine, 'admin'],
  ['if they are no admin', shared, 'manager'],
  ['if the account is its holder’s alone already', ana(), 'admin'],
] as const)('a reader has no button to vouch for a colleague %s', async (_, user, role) => {
  await open({ users: [user], role })
  await press(await screen.findByText('Ana Lima'))
  await screen.findByRole('dialog', { name: 'Ana Lima' })
  expect(screen.queryByRole('button', { name: 'Vouch' })).toBeNull()
})
