import { expect, test } from 'bun:test'
import { meQuery } from '../../../lib/api/session.ts'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import {
  act,
  fill,
  keys,
  press,
  pressButton,
  renderPage,
  screen,
  seen,
  waitFor,
  within,
} from '../../../testing/render.tsx'
import { colleague, meAs } from '../../../testing/samples.ts'
import type { Me, Session } from '../auth/auth.api.ts'
import { FirstThings } from './required-steps.tsx'
import { Security } from './security.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const session = (with_: Partial<Session> = {}): Session => ({
  id: 'ses_1',
  ip: '203.0.113.9',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  current: false,
  impersonatorId: null,
  lastSeenAt: AT,
  createdAt: AT,
  expiresAt: AT,
  ...with_,
})
const ENROLMENT = { secret: 'ABCDEFGH', uri: 'otpauth://totp/Brokerbase:elena?secret=ABCDEFGH' }
const CODES = ['aaaa-1111', 'bbbb-2222']

const open = async (answers: Answers = {}, twoFactor = false) => {
  const me: Me = { ...meAs('owner'), twoFactor }
  const drawn = await renderPage(<Security />, {
    role: 'owner',
    answers: { 'auth.me': me, 'auth.sessions.list': buildPage(session({ current: true })), ...answers },
  })
  act(() => void drawn.client.setQueryData(meQuery.queryKey, me))
  return drawn
}
const enrol = async (answers: Answers = {}) => {
  const drawn = await open({
    'auth.twoFactor.setup': ENROLMENT,
    'auth.twoFactor.enable': { recoveryCodes: CODES },
    ...answers,
  })
  await pressButton('Turn on')
  const dialog = await screen.findByRole('dialog')
  const code = await within(dialog).findByLabelText('Code')
  return { ...drawn, dialog, code, turnOn: () => press(within(dialog).getByRole('button', { name: 'Turn on' })) }
}

test('the second factor is turned on with a code and the password, and its recovery codes are shown once', async () => {
  const { server, dialog, code, turnOn } = await enrol()
  expect(await within(dialog).findByText('ABCD EFGH')).toBeDefined()
  await fill(code, '123 456')
  await fill(within(dialog).getByLabelText('Your password'), 'secret')
  await turnOn()
  const kept = await seen('button', 'I have kept them')
  expect(server.of('auth.twoFactor.enable').map(({ body }) => body)).toEqual([{ code: '123456', password: 'secret' }])
  for (const one of CODES) expect(screen.getByText(one)).toBeDefined()
  await keys('{Escape}')
  expect(screen.getByText('aaaa-1111')).toBeDefined()
  await press(kept)
  await waitFor(() => expect(screen.queryByText('aaaa-1111')).toBeNull())
  await waitFor(() => expect(server.of('auth.me').length).toBeGreaterThan(0))
})

test('the page cannot be left while it shows recovery codes that are not confirmed as kept', async () => {
  const { dialog, code, turnOn, router, address } = await enrol()
  await fill(code, '123456')
  await fill(within(dialog).getByLabelText('Your password'), 'secret')
  await turnOn()
  await seen('button', 'I have kept them')
  act(() => void router.navigate({ to: '/kyc' }))
  expect(await screen.findByText(/^Keep it first/)).toBeDefined()
  expect(address()).toBe('/')
})

test('turning on the second factor makes one secret, however often its form is sent', async () => {
  const { server, dialog, code, turnOn } = await enrol({
    'auth.twoFactor.enable': refusal(400, 'validation_failed', 'Not valid.', [
      { path: '/code', message: 'is not the code' },
    ]),
  })
  await turnOn()
  expect(await screen.findByText('Enter the code that the app shows')).toBeDefined()
  await fill(code, '000000')
  await fill(within(dialog).getByLabelText('Your password'), 'secret')
  await turnOn()
  expect(await screen.findByText('Is not the code')).toBeDefined()
  expect(server.of('auth.twoFactor.setup')).toHaveLength(1)
  expect(within(dialog).getByText('ABCD EFGH')).toBeDefined()
})

test('the dialog that turns on the second factor cannot be closed before the recovery codes arrive', async () => {
  const wait = Promise.withResolvers<Response>()
  const { dialog, code, turnOn } = await enrol({ 'auth.twoFactor.enable': () => wait.promise })
  await fill(code, '123456')
  await fill(within(dialog).getByLabelText('Your password'), 'secret')
  await turnOn()
  await keys('{Escape}')
  expect(screen.getByRole('dialog')).toBe(dialog)
  wait.resolve(Response.json({ recoveryCodes: CODES }))
  expect(await screen.findByText('bbbb-2222')).toBeDefined()
})

test('“Try again” requests a secret of the second factor that could not be made', async () => {
  const { server } = await open({ 'auth.twoFactor.setup': refusal(503, 'unavailable', 'Busy.') })
  await pressButton('Turn on')
  const again = await seen('button', 'Try again')
  server.now({ 'auth.twoFactor.setup': ENROLMENT })
  await press(again)
  expect(await screen.findByText('ABCD EFGH')).toBeDefined()
})

test('the second factor is turned off with the password and a code, and the form says what that means', async () => {
  const { server } = await open({ 'auth.twoFactor.disable': Response.json({}) }, true)
  await pressButton('Turn off')
  const dialog = await screen.findByRole('dialog', { name: 'Turn off two-step sign-in' })
  expect(dialog.textContent).toContain('protected by its password alone')
  await press(within(dialog).getByRole('button', { name: 'Turn off' }))
  expect(await within(dialog).findByText('Enter a code')).toBeDefined()
  await fill(within(dialog).getByLabelText(/^Password/), 'secret')
  await fill(within(dialog).getByLabelText(/^Code/), '123456{Enter}')
  expect(await screen.findByText('Two-step sign-in is off.')).toBeDefined()
  expect(server.of('auth.twoFactor.disable').map(({ body }) => body)).toEqual([{ password: 'secret', code: '123456' }])
})

test('a new password is sent with the old one, and the list of devices is read again', async () => {
  const { server } = await open({ 'auth.changePassword': Response.json({}) })
  await pressButton('Change password')
  const dialog = await screen.findByRole('dialog', { name: 'Change password' })
  await fill(within(dialog).getByLabelText(/^Current password/), 'old one')
  await fill(within(dialog).getByLabelText(/^New password/), 'too short{Enter}')
  expect(await within(dialog).findByText('Use at least 10 characters')).toBeDefined()
  await fill(within(dialog).getByLabelText(/^New password/), 'long enough{Enter}')
  expect(await screen.findByText(/^Password changed\./)).toBeDefined()
  expect(server.of('auth.changePassword').map(({ body }) => body)).toEqual([
    { currentPassword: 'old one', newPassword: 'long enough' },
  ])
  await waitFor(() => expect(server.of('auth.sessions.list').length).toBeGreaterThan(1))
})

test('a wrong current password is reported in the form, and ends no session', async () => {
  const { address } = await open({ 'auth.changePassword': refusal(401, 'bad_credentials', 'That is not it.') })
  await pressButton('Change password')
  const dialog = await screen.findByRole('dialog')
  await fill(within(dialog).getByLabelText(/^Current password/), 'nope')
  await fill(within(dialog).getByLabelText(/^New password/), 'long enough{Enter}')
  expect(await within(dialog).findByText('That is not it.')).toBeDefined()
  expect(address()).toBe('/')
})

test('another device is signed out after a question, and the reader’s own has no button for it', async () => {
  const { server } = await open({
    'auth.sessions.list': buildPage(session({ current: true }), session({ id: 'ses_2', userAgent: 'Firefox/130.0' })),
    'auth.sessions.revoke': Response.json({}),
  })
  expect(await screen.findByText('This device')).toBeDefined()
  const ends = screen.getAllByRole('button', { name: /^End the session of/ })
  expect(ends).toHaveLength(1)
  if (ends[0]) await press(ends[0])
  await pressButton('End session')
  await waitFor(() => expect(server.of('auth.sessions.revoke').map(({ params }) => params)).toEqual([{ id: 'ses_2' }]))
  await waitFor(() => expect(server.of('auth.sessions.list').length).toBeGreaterThan(1))
})

test('signing out everywhere says that it includes this device', async () => {
  const { server } = await open({ 'auth.sessions.revokeAll': Response.json({}) })
  await pressButton('Sign out everywhere')
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('this one too')
  await press(within(dialog).getByRole('button', { name: 'Sign out everywhere' }))
  await waitFor(() => expect(server.of('auth.sessions.revokeAll')).toHaveLength(1))
})

const first = async (me: Partial<Me>, answers: Answers = {}) => {
  const held: boolean[] = []
  const drawn = await renderPage(<FirstThings me={{ ...meAs('owner'), ...me }} onHold={(on) => void held.push(on)} />, {
    answers: { 'auth.me': meAs('owner'), ...answers },
  })
  return { ...drawn, held }
}

test('a password that a colleague chose is replaced before anything else', async () => {
  const { server, client } = await first(
    { mustChangePassword: true, mustEnrolTwoFactor: true },
    { 'auth.changePassword': Response.json({}) },
  )
  expect(await seen('heading', 'Choose your own password')).toBeDefined()
  await fill(await screen.findByLabelText('Password you were given'), 'given one')
  await fill(await screen.findByLabelText('New password'), 'long enough{Enter}')
  await waitFor(() => expect(client.getQueryState(meQuery.queryKey)?.isInvalidated).toBe(true))
  expect(server.of('auth.changePassword').map(({ body }) => body)).toEqual([
    { currentPassword: 'given one', newPassword: 'long enough' },
  ])
})

test('a second factor that the firm requires blocks the page until its codes are kept', async () => {
  const { held } = await first(
    { mustEnrolTwoFactor: true, twoFactor: false },
    { 'auth.twoFactor.setup': ENROLMENT, 'auth.twoFactor.enable': { recoveryCodes: CODES } },
  )
  await fill(await screen.findByLabelText('Code'), '123456')
  await fill(await screen.findByLabelText('Your password'), 'secret{Enter}')
  expect(await seen('heading', 'Keep your recovery codes')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull()
  expect(held).toEqual([true])
  await pressButton('I have kept them')
  await waitFor(() => expect(held).toEqual([true, false]))
})

test('a reader can sign out instead of taking a required step, even if the request fails', async () => {
  const { address, client } = await first(
    { mustEnrolTwoFactor: true },
    {
      'auth.twoFactor.setup': ENROLMENT,
      'auth.logout': noAnswer,
    },
  )
  await pressButton('Sign out')
  await waitFor(() => expect(address()).toBe('/sign-in'))
  await waitFor(() => expect(client.getQueryData(meQuery.queryKey)).toBeUndefined())
})

test('a user changes their own name, and a colleague’s name is refused at the field', async () => {
  const taken = refusal(409, 'users.name_taken', 'Taken.', [
    { path: 'displayName', message: 'is the name of a colleague' },
  ])
  const answers = [taken, colleague({ id: 'usr_me', displayName: 'Elena Markou' })]
  const { server } = await open({ 'auth.rename': () => answers.shift() ?? taken })
  await pressButton('Change name')
  const dialog = await screen.findByRole('dialog')
  await fill(await within(dialog).findByRole('textbox', { name: /^Name/ }), ' Ingrid Solheim ')
  await press(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await within(dialog).findByText('Is the name of a colleague')).toBeDefined()
  await fill(within(dialog).getByRole('textbox', { name: /^Name/ }), 'Elena Markou')
  await press(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Name changed.')).toBeDefined()
  expect(server.of('auth.rename').map(({ body }) => body)).toEqual([
    { displayName: 'Ingrid Solheim' },
    { displayName: 'Elena Markou' },
  ])
})
