import { useQuery } from '@tanstack/react-query'
import { type Answer, type Body, call, type QueryOf } from '../../api.ts'
import type { Choice } from '../../lib/choices.ts'
import { say } from './words.ts'

export type User = Answer<'users.get'>
type Invitation = Body<'users.invite'>

export const fetchUsers = (query: QueryOf<'users.list'>) => call('users.list', { query })
export const inviteUser = (body: Invitation) => call('users.invite', { body })
export const updateUser = (id: string, body: Body<'users.update'>, version: number) =>
  call('users.update', { params: { id }, body, ifMatch: version })
export const setRoles = (id: string, roles: User['roles'], version: number) =>
  call('users.setRoles', { params: { id }, body: { roles }, ifMatch: version })
export const resendInvite = (id: string) => call('users.resendInvite', { params: { id } })
export const resetTwoFactor = (id: string) => call('users.resetTwoFactor', { params: { id } })
/** Says as a third person that an account is its holder's alone. */
export const vouchFor = (id: string, note: string) => call('users.vouch', { params: { id }, body: { note } })
export const deleteUser = (id: string, version: number) => call('users.delete', { params: { id }, ifMatch: version })

/** The firm's staff (the first 200) as options of a select, and their names by id. */
export const useStaff = (): {
  options: Choice[]
  nameOf: (id: string | null) => string | null
} => {
  const { data } = useQuery({
    queryKey: ['users', 'staff'],
    queryFn: () => fetchUsers({ limit: 200 }),
    staleTime: 5 * 60_000,
  })
  const names = new Map((data?.data ?? []).map(({ id, displayName }) => [id, displayName]))
  return {
    options: [...names].map(([value, label]) => ({ value, label })),
    // Who is on the staff is known only once that was read.
    nameOf: (id) =>
      id === null ? null : (names.get(id) ?? (data ? say('users.former_colleague') : say('users.colleague'))),
  }
}
