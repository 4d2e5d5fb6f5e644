import { expect, test } from 'bun:test'
import { type Answers, noAnswer, refusal } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { AcceptInvite } from './accept-invite.tsx'
import { Forgot } from './forgot.tsx'
import { Reset } from './reset.tsx'
import { Setup } from './setup.tsx'

const GOOD = 'ten letters'
const open = (page: 'reset' | 'accept-invite' | 'forgot' | 'setup', search = '', answers: Answers = {}) => {
  const pages = { reset: <Reset />, 'accept-invite': <AcceptInvite />, forgot: <Forgot />, setup: <Setup /> }
  return renderPage(pages[page], { at: `/${page}${search}`, route: `/${page}`, answers })
}

test.each([
  ['reset', 'Set a new password'],
  ['accept-invite', 'Accept the invitation'],
] as const)('the page “%s” without its token says that the link is not complete', async (page, title) => {
  await open(page)
  expect(await seen('heading', title)).toBeDefined()
  expect(screen.getByText(/^This link is not complete/)).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a new password is sent with the token of the link, and has at least ten characters', async () => {
  const { server } = await open('reset', '?token=tok_1', { 'auth.reset': Response.json({}) })
  await fill(await screen.findByLabelText('New password'), 'short{Enter}')
  expect(await screen.findByText('Use at least 10 characters')).toBeDefined()
  expect(server.of('auth.reset')).toEqual([])
  await fill(await screen.findByLabelText('New password'), `${GOOD}{Enter}`)
  expect(await seen('heading', 'Password changed')).toBeDefined()
  expect(server.of('auth.reset').map(({ body }) => body)).toEqual([{ token: 'tok_1', password: GOOD }])
})

test('a link that was used already is reported, and the password stays typed', async () => {
  await open('reset', '?token=old', { 'auth.reset': refusal(410, 'token_used', 'This link was used already.') })
  await fill(await screen.findByLabelText('New password'), `${GOOD}{Enter}`)
  expect((await screen.findByRole('alert')).textContent).toBe('This link was used already.')
  expect(await screen.findByLabelText('New password')).toHaveProperty('value', GOOD)
})

test.each([
  ['', { token: 'tok_1', password: GOOD }],
  [' Ana ', { token: 'tok_1', password: GOOD, displayName: 'Ana' }],
])('an invitation is accepted with the name “%s”', async (name, body) => {
  const { server } = await open('accept-invite', '?token=tok_1', { 'users.acceptInvite': Response.json({}) })
  if (name) await fill(await screen.findByLabelText('Your name'), name)
  await fill(await screen.findByLabelText('Password'), `${GOOD}{Enter}`)
  expect(await seen('heading', 'Your account is ready')).toBeDefined()
  expect(server.of('users.acceptInvite').map((asked) => asked.body)).toEqual([body])
})

test('a link to a new password is requested, and the page does not reveal whether the address is known', async () => {
  const { server } = await open('forgot', '', { 'auth.forgot': Response.json({}) })
  await fill(await screen.findByLabelText('E-mail'), 'ana{Enter}')
  expect(await screen.findByText('Enter an e-mail address')).toBeDefined()
  await fill(await screen.findByLabelText('E-mail'), 'ana@x.eu{Enter}')
  expect(await seen('heading', 'Look at your mail')).toBeDefined()
  expect(screen.getByText(/^If an account exists for/).textContent).toContain('ana@x.eu')
  expect(server.of('auth.forgot').map(({ body }) => body)).toEqual([{ email: 'ana@x.eu' }])
})

const SET_UP = { tenantName: 'Northgate', displayName: 'Ana', email: 'ana@x.eu', password: GOOD }
const fillSetUp = async (): Promise<void> => {
  await fill(await screen.findByLabelText('Firm'), SET_UP.tenantName)
  await fill(await screen.findByLabelText('Your name'), SET_UP.displayName)
  await fill(await screen.findByLabelText('E-mail'), SET_UP.email)
  await fill(await screen.findByLabelText('Password'), SET_UP.password)
}

test('a link’s token creates the first firm, and its owner is signed in and led to the recovery key', async () => {
  const { server, address } = await open('setup', '?token=tok_1', {
    'setup.status': { open: true },
    'setup.run': Response.json({}),
    'auth.login': { status: 'ok' },
  })
  await fillSetUp()
  await fill(await screen.findByLabelText('Currency of the firm', { selector: 'input' }), 'eur')
  expect(screen.queryByLabelText('Set-up token')).toBeNull()
  await pressButton('Create firm and sign in')
  await waitFor(() => expect(address()).toBe('/recovery-key?first=1'))
  expect(server.of('setup.run').map(({ body }) => body)).toEqual([
    { token: 'tok_1', ...SET_UP, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, currency: 'EUR' },
  ])
  expect(server.of('auth.login').map(({ body }) => body)).toEqual([{ email: SET_UP.email, password: GOOD }])
})

test('an unknown set-up token is shown in its field to be corrected', async () => {
  const { server } = await open('setup', '?token=bad', {
    'setup.status': { open: true },
    'setup.run': refusal(400, 'validation_failed', 'Not valid.', [{ path: '/token', message: 'is not the token' }]),
  })
  await fillSetUp()
  await pressButton('Create firm and sign in')
  expect(await screen.findByText('Is not the token')).toBeDefined()
  expect(await screen.findByLabelText('Set-up token')).toHaveProperty('value', 'bad')
  expect(server.of('auth.login')).toEqual([])
})

test('the set-up without a token asks for one', async () => {
  await open('setup', '', { 'setup.status': { open: true } })
  await pressButton('Create firm and sign in')
  expect(await screen.findByText('Paste the token that the server printed')).toBeDefined()
})

test('a set-up that is closed leads to sign-in', async () => {
  await open('setup', '', { 'setup.status': { open: false } })
  expect(await seen('heading', 'Set-up is closed')).toBeDefined()
  expect((await seen('link', 'Go to sign-in')).getAttribute('href')).toBe('/admin/sign-in')
})

test('the state of the set-up is read again after a broken connection', async () => {
  const { server } = await open('setup', '', { 'setup.status': noAnswer })
  const again = await seen('button', 'Try again')
  server.now({ 'setup.status': { open: true } })
  await press(again)
  expect(await screen.findByLabelText('Firm')).toBeDefined()
})
