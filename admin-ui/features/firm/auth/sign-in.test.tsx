import { expect, test } from 'bun:test'
import { type Answers, noAnswer, refusal } from '../../../testing/answers.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { SignIn } from './sign-in.tsx'

const open = (answers: Answers = {}, at = '/sign-in') =>
  renderPage(<SignIn />, { at, route: '/sign-in', answers: { 'setup.status': { open: false }, ...answers } })
const password = (): Promise<HTMLElement> => screen.findByLabelText('Password')
const enterPassword = async (): Promise<void> => {
  await fill(await screen.findByLabelText('E-mail'), 'me@x.eu')
  await fill(await password(), 'secret{Enter}')
}

test('signing in opens the first page, and leaves nothing of the former user in the cache', async () => {
  const { server, address, client } = await open({ 'auth.login': { status: 'ok' } })
  client.setQueryData(['deposits', 'list'], 'of somebody else')
  await enterPassword()
  await waitFor(() => expect(address()).toBe('/'))
  expect(server.of('auth.login').map(({ body }) => body)).toEqual([{ email: 'me@x.eu', password: 'secret' }])
  expect(client.getQueryData(['deposits', 'list'])).toBeUndefined()
})

test.each([
  ['/deposits?status=pending', '/deposits?status=pending'],
  ['//evil.example', '/'],
  ['https://evil.example', '/'],
])('after signing in, a link that says “next” %s leads to %s', async (next, to) => {
  const { address } = await open({ 'auth.login': { status: 'ok' } }, `/sign-in?next=${encodeURIComponent(next)}`)
  await enterPassword()
  await waitFor(() => expect(address()).toBe(to))
})

test('sign-in without an address or a password is not sent', async () => {
  const { server } = await open()
  await pressButton('Sign in')
  expect(await screen.findByText('Enter an e-mail address')).toBeDefined()
  expect(screen.getByText('Enter your password')).toBeDefined()
  expect(server.of('auth.login')).toEqual([])
})

test.each([
  [
    'a wrong password',
    () => refusal(401, 'bad_credentials', 'E-mail or password is wrong.'),
    'E-mail or password is wrong.',
  ],
  ['too many tries', () => refusal(429, 'rate_limited', 'Slow.'), 'Too many attempts. Try again in a moment.'],
  ['a broken connection', noAnswer, /The server cannot be reached/],
] as const)('sign-in reports %s and keeps the typed text', async (_, answer, words) => {
  const signedOut: string[] = []
  const { address } = await renderPage(<SignIn />, {
    at: '/sign-in',
    route: '/sign-in',
    answers: { 'setup.status': { open: false }, 'auth.login': answer },
    onSignedOut: () => signedOut.push('out'),
  })
  await enterPassword()
  expect(await screen.findByText(words)).toBeDefined()
  expect(await screen.findByLabelText('E-mail')).toHaveProperty('value', 'me@x.eu')
  expect([address(), signedOut.length]).toEqual(['/sign-in', 0])
})

const codeFirst = (asked: { body: unknown }) =>
  typeof asked.body === 'object' && asked.body !== null && 'code' in asked.body
    ? ({ status: 'ok' } as const)
    : ({ status: 'code_required' } as const)

test('an account with a second factor asks for six digits, sent with the password', async () => {
  const { server, address } = await open({ 'auth.login': codeFirst })
  await enterPassword()
  expect(await seen('heading', 'Second step')).toBeDefined()
  await pressButton('Continue')
  expect((await screen.findByRole('alert')).textContent).toBe('Enter the six digits')
  const [first] = screen.getAllByRole('textbox')
  if (first) await press(first)
  await keys('123456')
  await pressButton('Continue')
  await waitFor(() => expect(address()).toBe('/'))
  expect(server.of('auth.login').at(-1)?.body).toEqual({ email: 'me@x.eu', password: 'secret', code: '123456' })
})

test('a user without the phone enters a recovery code instead', async () => {
  const { server } = await open({ 'auth.login': codeFirst })
  await enterPassword()
  await pressButton('Use a recovery code')
  await pressButton('Continue')
  expect(await screen.findByText('Enter a recovery code')).toBeDefined()
  await fill(await screen.findByLabelText('Recovery code'), ' abcd-1 ')
  await pressButton('Continue')
  await waitFor(() => expect(server.of('auth.login').at(-1)?.body).toMatchObject({ code: 'abcd-1' }))
})

test('a wrong code is reported at its field, and is gone after a change to the recovery code', async () => {
  const { server } = await open({
    'auth.login': (asked) =>
      codeFirst(asked).status === 'ok'
        ? refusal(401, 'bad_code', 'That code is not right.')
        : { status: 'code_required' },
  })
  await enterPassword()
  await pressButton('Use a recovery code')
  await fill(await screen.findByLabelText('Recovery code'), 'nope{Enter}')
  expect(await screen.findByText('That code is not right.')).toBeDefined()
  await pressButton('Use the authenticator app')
  expect(screen.queryByText('That code is not right.')).toBeNull()
  await pressButton('Use a recovery code')
  expect(await screen.findByLabelText('Recovery code')).toHaveProperty('value', '')
  expect(server.of('auth.login')).toHaveLength(2)
})

test('starting sign-in again keeps the address and asks for the password', async () => {
  await open({ 'auth.login': { status: 'code_required' } })
  await enterPassword()
  await pressButton('Start again with another account')
  expect(await screen.findByLabelText('E-mail')).toHaveProperty('value', 'me@x.eu')
  expect(await password()).toHaveProperty('value', '')
})

test('signing in with an address of several firms asks which firm, and then for a code', async () => {
  const { server, address } = await open({
    'auth.login': ({ body }) => {
      const said = JSON.stringify(body)
      if (said.includes('"code"')) return { status: 'ok' }
      if (said.includes('"tenant"')) return { status: 'code_required' }
      const tenants = [
        { slug: 'meridian', name: 'Meridian Markets' },
        { slug: 'north', name: 'Northgate' },
      ]
      return { status: 'choose_tenant', tenants }
    },
  })
  await enterPassword()
  await pressButton(/^Northgate/)
  await pressButton('Use a recovery code')
  await fill(await screen.findByLabelText('Recovery code'), 'abcd{Enter}')
  await waitFor(() => expect(address()).toBe('/'))
  expect(server.of('auth.login').at(-1)?.body).toMatchObject({ tenant: 'north', code: 'abcd', password: 'secret' })
})

test('a refusal of a firm is shown at the choice of firms', async () => {
  await open({
    'auth.login': ({ body }) =>
      JSON.stringify(body).includes('"tenant"')
        ? refusal(403, 'suspended', 'This firm is suspended.')
        : { status: 'choose_tenant', tenants: [{ slug: 'north', name: 'Northgate' }] },
  })
  await enterPassword()
  await pressButton(/^Northgate/)
  expect((await screen.findByRole('alert')).textContent).toBe('This firm is suspended.')
  expect((await seen('button', /^Northgate/)).hasAttribute('disabled')).toBe(false)
})

test.each([
  [true, 1],
  [false, 0],
])('sign-in explains how to begin if the set-up is open (%s)', async (isOpen, count) => {
  const { server } = await open({ 'setup.status': { open: isOpen } })
  await waitFor(() => expect(server.of('setup.status')).toHaveLength(1))
  await waitFor(() => expect(screen.queryAllByRole('link', { name: 'enter its token' })).toHaveLength(count))
})
