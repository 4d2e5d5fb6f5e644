import type { Static } from '@sinclair/typebox'
import type {
  AcceptInviteIn,
  ChangePasswordIn,
  DisableIn,
  EnableIn,
  ForgotIn,
  LoginIn,
  LoginOut,
  MeOut,
  ReauthenticateIn,
  RecoveryOut,
  ResetIn,
  SessionOut,
  TwoFactorSetupOut,
} from '../../../src/modules/auth/auth.model.ts'
import { del, get, type Page, post } from '../../api.ts'

export type Me = Static<typeof MeOut>
export type Session = Static<typeof SessionOut>
export type SignInResult = Static<typeof LoginOut>
export type TenantChoice = NonNullable<SignInResult['tenants']>[number]

export const fetchMe = (): Promise<Me> => get('/v1/auth/me')
export const signIn = (body: Static<typeof LoginIn>): Promise<SignInResult> => post('/v1/auth/login', body)
export const signOut = (): Promise<void> => post('/v1/auth/logout')
export const requestReset = (body: Static<typeof ForgotIn>): Promise<void> => post('/v1/auth/forgot', body)
export const resetPassword = (body: Static<typeof ResetIn>): Promise<void> => post('/v1/auth/reset', body)
export const changePassword = (body: Static<typeof ChangePasswordIn>): Promise<void> =>
  post('/v1/auth/change-password', body)
export const reauthenticate = (body: Static<typeof ReauthenticateIn>): Promise<void> =>
  post('/v1/auth/reauthenticate', body)
export const acceptInvite = (body: Static<typeof AcceptInviteIn>): Promise<void> =>
  post('/v1/users/accept-invite', body)

export const fetchSetup = (): Promise<{ open: boolean }> => get('/v1/setup')
export const runSetup = (body: {
  token: string
  tenantName: string
  email: string
  displayName: string
  password: string
}): Promise<void> => post('/v1/setup', body)

export const fetchSessions = (): Promise<Page<Session>> => get('/v1/auth/sessions')
export const revokeSession = (id: string): Promise<void> => del(`/v1/auth/sessions/${id}`)
export const revokeAllSessions = (): Promise<void> => post('/v1/auth/sessions/revoke-all')

export const startTwoFactor = (): Promise<Static<typeof TwoFactorSetupOut>> => post('/v1/auth/2fa/setup')
export const enableTwoFactor = (body: Static<typeof EnableIn>): Promise<Static<typeof RecoveryOut>> =>
  post('/v1/auth/2fa/enable', body)
export const disableTwoFactor = (body: Static<typeof DisableIn>): Promise<void> => post('/v1/auth/2fa/disable', body)
