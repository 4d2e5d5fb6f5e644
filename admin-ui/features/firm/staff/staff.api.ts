import { type Answer, type Body, call } from '../../../api.ts'
import type { User } from '../users/users.api.ts'

export const inviteUser = (body: Body<'users.invite'>) => call('users.invite', { body })
export const updateUser = (id: string, body: Body<'users.update'>, version: number) =>
  call('users.update', { params: { id }, body, ifMatch: version })
export const setRoles = (id: string, roles: User['roles'], version: number) =>
  call('users.setRoles', { params: { id }, body: { roles }, ifMatch: version })
export const resendInvite = (id: string) => call('users.resendInvite', { params: { id } })
export const resetTwoFactor = (id: string) => call('users.resetTwoFactor', { params: { id } })
export type LeavesBehind = Answer<'users.leavesBehind'>
export const leavesBehind = (id: string) => call('users.leavesBehind', { params: { id } })
/** States, as a third person, that an account is its holder's alone. */
export const vouchFor = (id: string, note: string) => call('users.vouch', { params: { id }, body: { note } })
export const deleteUser = (id: string, version: number) => call('users.delete', { params: { id }, ifMatch: version })
