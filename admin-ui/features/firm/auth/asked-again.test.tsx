import { expect, test } from 'bun:test'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api.ts'
import { savesFile } from '../../../lib/api/save-file.ts'
import { meQuery } from '../../../lib/api/session.ts'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import { RenewSignIn } from './renew-sign-in.tsx'
import { SessionEnded } from './session-ended.tsx'

/** A page with one action, which the API refuses when the session has ended or is not fresh. */
const Page = ({ twoFactor }: { twoFactor: boolean }) => {
  const me = { ...meAs('owner'), twoFactor }
  const act = useMutation({
    mutationFn: () => call('users.vouch', { params: { id: 'usr_1' }, body: { note: 'known' } }),
  })
  return (
    <>
      <button type="button" onClick={() => act.mutate()}>
        Vouch
      </button>
      <p>{act.isSuccess ? 'done' : act.isError ? 'refused' : 'not yet'}</p>
      <RenewSignIn me={me} />
      <SessionEnded me={me} />
    </>
  )
}
const refusedOnce = (answer: Response) => {
  let times = 0
  return () => (++times === 1 ? answer : Response.json({}))
}
const stale = (): Response => refusal(403, 'reauthentication_required', 'Confirm that it is you.')
const ended = (): Response => refusal(401, 'unauthenticated', 'Your session has ended.')

const open = async (answers: Answers, twoFactor = false) => {
  const drawn = await renderPage(<Page twoFactor={twoFactor} />, {
    answers: { 'auth.me': meAs('owner'), ...answers },
  })
  await pressButton('Vouch')
  return drawn
}

test('an action that needs a fresh sign-in asks for the password, and is repeated with its key', async () => {
  const { server } = await open({ 'users.vouch': refusedOnce(stale()), 'auth.reauthenticate': Response.json({}) })
  await pressButton('Confirm')
  expect(await screen.findByText('Enter your password')).toBeDefined()
  await fill(await screen.findByLabelText('Your password'), 'secret{Enter}')
  expect(await screen.findByText('done')).toBeDefined()
  expect(server.of('auth.reauthenticate').map(({ body }) => body)).toEqual([{ password: 'secret' }])
  const [one, two] = server.of('users.vouch')
  expect(two).toMatchObject({ body: { note: 'known' }, key: one?.key ?? 'none' })
  expect(screen.queryByLabelText('Your password')).toBeNull()
})

test('a user with a second factor enters a code with the password for a fresh sign-in', async () => {
  const { server } = await open({ 'users.vouch': refusedOnce(stale()), 'auth.reauthenticate': Response.json({}) }, true)
  await fill(await screen.findByLabelText('Your password'), 'secret')
  await pressButton('Confirm')
  expect(await screen.findByText('Enter a code')).toBeDefined()
  await fill(await screen.findByLabelText('Code'), ' 123456 {Enter}')
  expect(await screen.findByText('done')).toBeDefined()
  expect(server.of('auth.reauthenticate').map(({ body }) => body)).toEqual([{ password: 'secret', code: '123456' }])
})

test('Esc cancels the action that asked for the password, and it is not sent again', async () => {
  const { server } = await open({ 'users.vouch': refusedOnce(stale()) })
  await screen.findByLabelText('Your password')
  await keys('{Escape}')
  expect(await screen.findByText('refused')).toBeDefined()
  expect(server.of('users.vouch')).toHaveLength(1)
})

test('a wrong password is reported in the dialog, and the action still waits', async () => {
  const { server } = await open({
    'users.vouch': refusedOnce(stale()),
    'auth.reauthenticate': refusal(401, 'bad_credentials', 'That is not your password.'),
  })
  await fill(await screen.findByLabelText('Your password'), 'nope{Enter}')
  expect(await screen.findByText('That is not your password.')).toBeDefined()
  expect(screen.getByText('not yet')).toBeDefined()
  expect(server.of('users.vouch')).toHaveLength(1)
})

test('an ended session asks to sign in over the page, for the same person and firm', async () => {
  const { server, client } = await open({ 'users.vouch': refusedOnce(ended()), 'auth.login': { status: 'ok' } })
  expect(await screen.findByLabelText('E-mail')).toHaveProperty('value', 'elena@meridian.example')
  await fill(await screen.findByLabelText('Password'), 'secret{Enter}')
  expect(await screen.findByText('done')).toBeDefined()
  expect(server.of('auth.login').map(({ body }) => body)).toEqual([
    { email: 'elena@meridian.example', password: 'secret', tenant: 'meridian' },
  ])
  expect(client.getQueryState(meQuery.queryKey)?.isInvalidated).toBe(true)
})

test('signing in again asks for the code if the account requires it', async () => {
  const { server } = await open({
    'users.vouch': refusedOnce(ended()),
    'auth.login': ({ body }) => ({ status: JSON.stringify(body).includes('"code"') ? 'ok' : 'code_required' }),
  })
  await fill(await screen.findByLabelText('Password'), 'secret{Enter}')
  await screen.findByLabelText('Code')
  await pressButton('Sign in')
  expect(await screen.findByText('Enter the code')).toBeDefined()
  await fill(await screen.findByLabelText('Code'), '123456{Enter}')
  expect(await screen.findByText('done')).toBeDefined()
  expect(server.of('auth.login').at(-1)?.body).toMatchObject({ password: 'secret', code: '123456' })
})

test('Esc does not close the sign-in over the page; “somebody else” cancels the action', async () => {
  const { server } = await open({ 'users.vouch': refusedOnce(ended()) })
  await screen.findByLabelText('Password')
  await keys('{Escape}')
  expect(await seen('dialog', 'You were signed out')).toBeDefined()
  await pressButton('Sign in as somebody else')
  expect(await screen.findByText('refused')).toBeDefined()
  expect(server.of('users.vouch')).toHaveLength(1)
})

test('a download that needs the password saves its file once the password is given', async () => {
  const link = <a {...savesFile('/v1/deposits/export.csv')}>Export</a>
  const { server } = await renderPage(
    <>
      {link}
      <RenewSignIn me={{ ...meAs('owner'), twoFactor: false }} />
    </>,
    { answers: { 'deposits.export': refusedOnce(stale()), 'auth.reauthenticate': Response.json({}) } },
  )
  await press(await seen('link', 'Export'))
  await fill(await screen.findByLabelText('Your password'), 'secret{Enter}')
  await waitFor(() => expect(server.of('deposits.export')).toHaveLength(2))
})

test('a request that was sent with the former token is repeated without a question', async () => {
  localStorage.setItem('session-renewed-at', String(Date.now()))
  const { server } = await open({ 'users.vouch': refusedOnce(ended()) })
  expect(await screen.findByText('done')).toBeDefined()
  expect(server.of('users.vouch')).toHaveLength(2)
  localStorage.removeItem('session-renewed-at')
})

test('a refusal for another reason asks for no password', async () => {
  await open({ 'users.vouch': refusal(403, 'forbidden', 'Not yours.') })
  expect(await screen.findByText('refused')).toBeDefined()
  expect(screen.queryByLabelText(/password/i)).toBeNull()
})
