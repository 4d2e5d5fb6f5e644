import { type Body, call, type Row } from '../../../api.ts'

export type Tenant = Row<'tenants.list'>

/** Reads every firm of the installation on one page: this list takes no parameters. */
export const fetchTenants = () => call('tenants.list')
export const createTenant = (body: Body<'tenants.create'>) => call('tenants.create', { body })
export const updateTenant = ({ id, version }: Tenant, body: Body<'tenants.update'>) =>
  call('tenants.update', { params: { id }, body, ifMatch: version })
