import { sessionCookie } from '../../../platform/access/session.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { None, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { createGate, createTries } from './auth.attempts.ts'
import { login } from './auth.login.ts'
import { forgotPassword, resetPassword } from './auth.mailed-links.ts'
import {
  Accepted,
  ChangePasswordIn,
  DisableIn,
  Done,
  EnableIn,
  ForgotIn,
  LoginIn,
  LoginOut,
  MeOut,
  ReauthenticateIn,
  RecoveryOut,
  ResetIn,
  SessionsOut,
  TwoFactorSetupOut,
} from './auth.model.ts'
import type { Owners } from './auth.owners.ts'
import {
  changePassword,
  listSessions,
  logout,
  type Outcome,
  readMe,
  reauthenticate,
  revokeAllSessions,
  revokeSession,
} from './auth.service.ts'
import { disableTwoFactor, enableTwoFactor, setupTwoFactor } from './auth.two-factor.ts'

const signedIn = { any: true } as const
/** Routes that are also open to people who must first turn on a second factor. */
const enrolling = { any: true, enrolling: true } as const

type Gate = ReturnType<typeof createGate>
type Set = { headers: Record<string, unknown> }

/** Sends the outcome's answer and sets its cookies. */
function answered<A>({ headers }: Set, { answer, cookies }: Outcome<A>): A {
  if (cookies.length > 0) headers['set-cookie'] = cookies
  return answer
}

/** Makes the browser clear what it stored during the session, such as drafts and open lists. */
const LEFT = '"storage"'

const signInRoutes = (gate: Gate, owners: Owners) =>
  declareRoutes('Authentication')
    .post(
      '/v1/auth/login',
      async ({ ctx, body, request, set }) => {
        const from = { host: request.headers.get('host') ?? '', userAgent: request.headers.get('user-agent') ?? '' }
        return answered(set, await login(ctx, owners, createTries(gate, ctx, request), body, from))
      },
      {
        access: 'public',
        body: LoginIn,
        ...op('auth.login', 'Sign in; sets the session cookie', { 200: LoginOut }, [401], { setsCookie: true }),
      },
    )
    .post(
      '/v1/auth/logout',
      ({ ctx, set }) => {
        Object.assign(set.headers, { 'set-cookie': sessionCookie('', 0), 'clear-site-data': LEFT })
        return logout(ctx)
      },
      { access: enrolling, ...op('auth.logout', 'End this session', { 200: Done }, [], { setsCookie: true }) },
    )
    .post(
      '/v1/auth/reauthenticate',
      async ({ ctx, body, request, set }) =>
        answered(set, await reauthenticate(ctx, owners, createTries(gate, ctx, request), body)),
      {
        access: enrolling,
        body: ReauthenticateIn,
        ...op(
          'auth.reauthenticate',
          'Give the password again: renews this session for 15 minutes, by another token',
          { 200: Done },
          [],
          {
            setsCookie: true,
          },
        ),
      },
    )
    .get('/v1/auth/me', ({ ctx }) => readMe(ctx, owners), {
      access: { any: true, open: true, enrolling: true },
      ...op('auth.me', 'Who am I', { 200: MeOut }),
    })

const passwordRoutes = (gate: Gate, owners: Owners) => {
  // requests for links are counted apart from guesses of passwords
  const forgotten = createGate()
  return declareRoutes('Authentication')
    .post(
      '/v1/auth/change-password',
      async ({ ctx, body, request, set }) =>
        answered(set, await changePassword(ctx, owners, createTries(gate, ctx, request), body)),
      {
        access: enrolling,
        body: ChangePasswordIn,
        ...op('auth.changePassword', 'Change the own password; ends other sessions', { 200: Done }, [], {
          setsCookie: true,
        }),
      },
    )
    .post(
      '/v1/auth/forgot',
      ({ ctx, body, request }) =>
        forgotPassword(ctx, owners, forgotten.throttle, body.email, request.headers.get('host') ?? ''),
      {
        access: 'public',
        accepts: true,
        body: ForgotIn,
        ...op('auth.forgot', 'Mail a reset link; the same answer whether the address exists', { 202: Accepted }),
      },
    )
    .post('/v1/auth/reset', ({ ctx, body }) => resetPassword(ctx, owners, body), {
      access: 'public',
      body: ResetIn,
      ...op('auth.reset', 'Set a new password with the mailed token; ends all sessions', { 200: Done }, [410]),
    })
}

const sessionRoutes = declareRoutes('Authentication')
  .get('/v1/auth/sessions', ({ ctx }) => listSessions(ctx), {
    access: { ...signedIn, closedToViews: true },
    ...op('auth.sessions.list', 'Own active sessions', { 200: SessionsOut }),
  })
  .delete('/v1/auth/sessions/:id', ({ ctx, params }) => revokeSession(ctx, params.id), {
    access: signedIn,
    empty: true,
    params: IdParam,
    ...op('auth.sessions.revoke', 'Revoke one of the own sessions', { 204: None }, [404]),
  })
  .post(
    '/v1/auth/sessions/revoke-all',
    ({ ctx, set }) => {
      set.headers['clear-site-data'] = LEFT
      return revokeAllSessions(ctx)
    },
    {
      access: signedIn,
      ...op('auth.sessions.revokeAll', 'Log out everywhere', { 200: Done }),
    },
  )

const twoFactorRoutes = (gate: Gate, owners: Owners) =>
  declareRoutes('Authentication')
    .post('/v1/auth/2fa/setup', ({ ctx }) => setupTwoFactor(ctx, owners), {
      access: enrolling,
      ...op('auth.twoFactor.setup', 'New authenticator secret and its URI', { 200: TwoFactorSetupOut }, [409]),
    })
    .post(
      '/v1/auth/2fa/enable',
      async ({ ctx, body, request, set }) =>
        answered(set, await enableTwoFactor(ctx, owners, createTries(gate, ctx, request), body)),
      {
        access: enrolling,
        body: EnableIn,
        ...op('auth.twoFactor.enable', 'Confirm with a code; recovery codes shown once', { 200: RecoveryOut }, [409], {
          setsCookie: true,
        }),
      },
    )
    .post(
      '/v1/auth/2fa/disable',
      async ({ ctx, body, request, set }) =>
        answered(set, await disableTwoFactor(ctx, owners, createTries(gate, ctx, request), body)),
      {
        access: signedIn,
        body: DisableIn,
        ...op('auth.twoFactor.disable', 'Turn the second factor off; needs password and code', { 200: Done }, [409], {
          setsCookie: true,
        }),
      },
    )

/** Sign-in, sessions, passwords and the second factor. RULES “Sign-in”. */
export const authRoutes = (owners: Owners) => {
  const gate = createGate()
  return signInRoutes(gate, owners)
    .and(passwordRoutes(gate, owners))
    .and(sessionRoutes)
    .and(twoFactorRoutes(gate, owners))
}
