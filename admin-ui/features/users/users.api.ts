import type { Static } from '@sinclair/typebox'
import { useQuery } from '@tanstack/react-query'
import type { InviteIn, User, UserPatch } from '../../../src/modules/users/users.model.ts'
import { del, get, type Page, patch, post, type Query } from '../../api.ts'

export type { User }
export type Invitation = Static<typeof InviteIn>

const at = (id: string): string => `/v1/users/${id}`

export const fetchUsers = (query: Query): Promise<Page<User>> => get('/v1/users', query)
export const inviteUser = (body: Invitation): Promise<User> => post('/v1/users/invite', body)
export const updateUser = (id: string, body: Static<typeof UserPatch>, version: number): Promise<User> =>
  patch(at(id), body, version)
export const setRoles = (id: string, roles: User['roles'], version: number): Promise<User> =>
  patch(`${at(id)}/roles`, { roles }, version)
export const resendInvite = (id: string): Promise<void> => post(`${at(id)}/resend-invite`)
export const resetTwoFactor = (id: string): Promise<void> => post(`${at(id)}/2fa/reset`)
/** Says as a third person that an account is its holder's alone. */
export const vouchFor = (id: string, note: string): Promise<User> => post(`${at(id)}/vouch`, { note })
export const deleteUser = (id: string, version: number): Promise<void> => del(at(id), version)

/** The firm's staff (the first 200) as options of a select, and their names by id. */
export const useStaff = (): {
  options: { value: string; label: string }[]
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
    nameOf: (id) => (id === null ? null : (names.get(id) ?? 'Former colleague')),
  }
}
