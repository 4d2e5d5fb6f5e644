import { useQuery } from '@tanstack/react-query'
import { type Answer, call, type QueryOf } from '../../api.ts'
import type { Choice } from '../../lib/choices.ts'
import { say } from './words.ts'

export type User = Answer<'users.get'>

export const fetchUsers = (query: QueryOf<'users.list'>) => call('users.list', { query })

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
