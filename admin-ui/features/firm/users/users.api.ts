import { useQuery } from '@tanstack/react-query'
import { type Answer, call, type QueryOf } from '../../../api.ts'
import { useMe } from '../../../lib/api/session.ts'
import type { Choice } from '../../../lib/text/choices.ts'
import { say } from './words.ts'

export type User = Answer<'users.get'>

export const fetchUsers = (query: QueryOf<'users.list'>) => call('users.list', { query })

/** Returns a colleague's name; with `at`, the name that they had at that moment. */
export type FindStaffName = (id: string | null, at?: string | null) => string | null

/** Returns the firm's staff (the first 200) as options of a select, and a function that finds a name by id. */
export const useStaff = (): { options: Choice[]; findStaffName: FindStaffName } => {
  const { data } = useQuery({
    queryKey: ['users', 'staff'],
    queryFn: () => fetchUsers({ limit: 200 }),
    staleTime: 5 * 60_000,
  })
  const staff = new Map((data?.data ?? []).map((user) => [user.id, user]))
  return {
    options: [...staff].map(([value, { displayName }]) => ({ value, label: displayName })),
    // Until the staff is read, an unknown id is not called a former colleague.
    findStaffName: (id, at) => {
      const user = id === null ? undefined : staff.get(id)
      if (user) return user.formerNames.find(({ until }) => at && until >= at)?.name ?? user.displayName
      return id === null ? null : data ? say('users.colleague.former') : say('users.colleague')
    },
  }
}

/** The API's value for rows that are assigned to nobody. */
const NOBODY = 'none'

/** Returns the options of a filter by assigned colleague: first the reader and nobody, who are looked for most. */
export const useAssignees = (): Choice[] => {
  const me = useMe()
  const { options } = useStaff()
  return [
    { value: me.id, label: say('users.assignee.me') },
    { value: NOBODY, label: say('users.assignee.nobody') },
    ...options.filter(({ value }) => value !== me.id),
  ]
}
