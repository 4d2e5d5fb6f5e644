import type { Static } from '@sinclair/typebox'
import type { Tenant, TenantAdminPatch, TenantIn } from '../../../src/modules/tenants/tenants.model.ts'
import { get, type Page, patch, post } from '../../api.ts'

export type { Tenant }

/** Every firm of the installation, on one page: this list takes no parameters. */
export const fetchTenants = (): Promise<Page<Tenant>> => get('/v1/tenants')
export const createTenant = (body: Static<typeof TenantIn>): Promise<Tenant> => post('/v1/tenants', body)
export const updateTenant = ({ id, version }: Tenant, body: Static<typeof TenantAdminPatch>): Promise<Tenant> =>
  patch(`/v1/tenants/${id}`, body, version)
