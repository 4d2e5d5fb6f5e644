import type { Language } from '../../../../src/words/language.ts'
import { type Answer, type Body, call, type Row } from '../../../api.ts'

export type Me = Answer<'auth.me'>
export type Session = Row<'auth.sessions.list'>
export type SignInResult = Answer<'auth.login'>
export type TenantChoice = NonNullable<SignInResult['tenants']>[number]

export const fetchMe = () => call('auth.me')
export const signIn = (body: Body<'auth.login'>) => call('auth.login', { body })
/** Restores the look of the console, which is no secret, after a sign-out has emptied the storage of the browser. */
const keepingLook = async <T>(leave: () => Promise<T>): Promise<T> => {
  const { language: _, ...look } = { ...localStorage }
  const answer = await leave()
  for (const [key, value] of Object.entries(look)) localStorage.setItem(key, String(value))
  return answer
}
export const signOut = () => keepingLook(() => call('auth.logout'))
export const requestReset = (body: Body<'auth.forgot'>) => call('auth.forgot', { body })
export const resetPassword = (body: Body<'auth.reset'>) => call('auth.reset', { body })
export const renameMyself = (displayName: string) => call('auth.rename', { body: { displayName } })
export const setMyLanguage = (locale: Language) => call('auth.rename', { body: { locale } })
export const changePassword = (body: Body<'auth.changePassword'>) => call('auth.changePassword', { body })
export const reauthenticate = (body: Body<'auth.reauthenticate'>) => call('auth.reauthenticate', { body })
export const acceptInvite = (body: Body<'users.acceptInvite'>) => call('users.acceptInvite', { body })

export const fetchSetup = () => call('setup.status')
export const runSetup = (body: Body<'setup.run'>) => call('setup.run', { body })

export const fetchSessions = () => call('auth.sessions.list')
export const revokeSession = (id: string) => call('auth.sessions.revoke', { params: { id } })
export const revokeAllSessions = () => keepingLook(() => call('auth.sessions.revokeAll'))

export const startTwoFactor = () => call('auth.twoFactor.setup')
export const enableTwoFactor = (body: Body<'auth.twoFactor.enable'>) => call('auth.twoFactor.enable', { body })
export const disableTwoFactor = (body: Body<'auth.twoFactor.disable'>) => call('auth.twoFactor.disable', { body })
