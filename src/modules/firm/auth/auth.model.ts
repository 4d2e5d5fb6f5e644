import { type Static, Type } from '@sinclair/typebox'
import { ROLES } from '../../../platform/access/catalogue.ts'
import { toIso } from '../../../platform/clock.ts'
import { OnePage } from '../../../platform/http/lists/page.ts'
import { Currency, Email, Id, Line, Nullable, OneOf, Password, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'
import type { SessionRow } from './auth.table.ts'

const GivenPassword = Type.String({ minLength: 1, maxLength: 200 })
const Code = Type.String({
  minLength: 6,
  maxLength: 20,
  description: 'six digits of the authenticator, or a recovery code',
})
const Token = Type.String({ minLength: 20, maxLength: 200, description: 'the one-time token of the mailed link' })

export const LoginIn = nameSchema(
  'LoginIn',
  Strict({
    email: Email,
    password: GivenPassword,
    code: Type.Optional(Code),
    tenant: Type.Optional(
      Type.String({ maxLength: 64, description: 'slug, when the address is known in several tenants' }),
    ),
  }),
)
export const LoginOut = nameSchema(
  'Login',
  Type.Object({
    status: OneOf(['ok', 'code_required', 'choose_tenant']),
    tenants: Type.Optional(Type.Array(Type.Object({ slug: Type.String(), name: Type.String() }))),
  }),
)
export const Accepted = nameSchema('Accepted', Type.Object({ status: OneOf(['accepted']) }))
export const Done = nameSchema('Done', Type.Object({ status: OneOf(['ok']) }))
export const ReauthenticateIn = nameSchema(
  'ReauthenticateIn',
  Strict({
    password: GivenPassword,
    code: Type.Optional({ ...Code, description: 'needed where the second factor is on; a recovery code will do' }),
  }),
)
export const ChangePasswordIn = nameSchema(
  'PasswordChangeIn',
  Strict({ currentPassword: GivenPassword, newPassword: Password }),
)
export const ForgotIn = nameSchema('PasswordForgotIn', Strict({ email: Email }))
export const ResetIn = nameSchema('PasswordResetIn', Strict({ token: Token, password: Password }))
export const AcceptInviteIn = nameSchema(
  'AcceptInviteIn',
  Strict({ token: Token, password: Password, displayName: Type.Optional(Line(100)) }),
)
export const TwoFactorSetupOut = nameSchema(
  'TwoFactorSetup',
  Type.Object({ secret: Type.String(), uri: Type.String() }),
)
export const EnableIn = nameSchema(
  'TwoFactorEnableIn',
  Strict({
    code: Code,
    password: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'needed unless the sign-in was within 15 minutes' }),
    ),
  }),
)
export const RecoveryOut = nameSchema('RecoveryCodes', Type.Object({ recoveryCodes: Type.Array(Type.String()) }))
export const DisableIn = nameSchema('TwoFactorDisableIn', Strict({ password: GivenPassword, code: Code }))

export const MeOut = nameSchema(
  'Me',
  Type.Object({
    kind: OneOf(['user', 'trader']),
    id: Id,
    email: Nullable(Type.String()),
    displayName: Type.String(),
    locale: Nullable(Type.String({ description: 'the language that they read, as a BCP 47 tag' })),
    role: Nullable(nameSchema('Role', OneOf(ROLES))),
    roles: Type.Array(nameSchema('Role', OneOf(ROLES))),
    twoFactor: Type.Boolean(),
    mustChangePassword: Type.Boolean({
      description: 'a colleague chose the password: change it before anything that lasts',
    }),
    mustEnrolTwoFactor: Type.Boolean({
      description: 'the role needs a second factor and there is none: until it is on, nothing else is possible',
    }),
    scopes: Nullable(Type.Array(Type.String())),
    impersonatorId: Nullable(Id),
    affiliateId: Nullable(Id),
    tenant: Type.Object({
      id: Id,
      slug: Type.String(),
      name: Type.String(),
      branding: Type.Object({}, { additionalProperties: true }),
      featureFlags: Type.Object({}, { additionalProperties: true }),
      currency: worded(Currency, 'what the firm counts in'),
      timeZone: Type.String({ description: 'whose days the firm counts' }),
    }),
  }),
)

const SessionOut = nameSchema(
  'Session',
  Type.Object({
    id: Id,
    createdAt: Time,
    lastSeenAt: Time,
    expiresAt: Time,
    ip: Type.String(),
    userAgent: Type.String(),
    impersonatorId: Nullable(Id),
    current: Type.Boolean(),
  }),
)
export const SessionsOut = nameSchema('Sessions', Type.Object({ data: Type.Array(SessionOut), nextCursor: OnePage }))

/** Returns the wire form of a session; `currentId` is the session of the request. */
export const toSession = (row: SessionRow, currentId: string | null): Static<typeof SessionOut> => ({
  id: row.id,
  createdAt: toIso(row.createdAt),
  lastSeenAt: toIso(row.lastSeenAt),
  expiresAt: toIso(row.expiresAt),
  ip: row.ip,
  userAgent: row.userAgent,
  impersonatorId: row.impersonatorId,
  current: row.id === currentId,
})
