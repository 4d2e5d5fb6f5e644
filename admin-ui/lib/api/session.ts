import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ROLES as SERVER_ROLES } from '../../../src/platform/access/catalogue.ts'
import { fetchMe, type Me } from '../../features/firm/auth/auth.api.ts'
import { say } from '../text/words.ts'
import { setZone } from '../text/zone.ts'

/**
 * Staff roles from least to most; each may do everything that lower ones may. It has the type of the server's list, so
 * that another role, or another order, does not compile.
 */
export const ROLES: typeof SERVER_ROLES = ['viewer', 'operator', 'manager', 'admin', 'owner', 'platform_admin']
export type Role = (typeof ROLES)[number]

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => {
    const me = await fetchMe()
    setZone(me.tenant.timeZone)
    return me
  },
  staleTime: 60_000,
  retry: false,
  // Another user may have signed in in this browser while the window had no focus.
  refetchOnWindowFocus: 'always',
})

/** Returns the signed-in user. It is only for pages inside the shell, which is drawn once the user is known. */
export const useMe = (): Me => {
  const { data } = useQuery(meQuery)
  if (!data) throw new Error('useMe outside the signed-in shell')
  return data
}

/** Returns whether a role is at least the other. */
export const atLeast = (role: Role | null, least: Role): boolean =>
  role !== null && ROLES.indexOf(role) >= ROLES.indexOf(least)

/** Returns whether the signed-in user has at least that role. The server decides; this only hides actions. */
export const useCan = (): ((least: Role) => boolean) => {
  const { role } = useMe()
  return (least) => atLeast(role, least)
}

export const ROLE_LABELS: Record<Role, string> = {
  viewer: say('parts.viewer'),
  operator: say('parts.operator'),
  manager: say('parts.manager'),
  admin: say('parts.admin'),
  owner: say('parts.owner'),
  platform_admin: say('parts.platform_admin'),
}

/** Returns the look that a tenant set for the console; `branding` itself is an open object. */
export const readBrand = ({ branding }: Me['tenant']): { color: string | null; logoUrl: string | null } => ({
  color: 'color' in branding && typeof branding.color === 'string' ? branding.color : null,
  logoUrl: 'logoUrl' in branding && typeof branding.logoUrl === 'string' ? branding.logoUrl : null,
})
