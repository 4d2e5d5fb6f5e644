import type { Static } from '@sinclair/typebox'
import type { Upload } from '../../../src/modules/files/files.model.ts'
import type { Tenant, TenantPatch } from '../../../src/modules/tenants/tenants.model.ts'
import { get, patch, post } from '../../api.ts'
import { apiFetch } from '../../lib/http.ts'

export type { Tenant }

export const fetchFirm = (): Promise<Tenant> => get('/v1/tenants/current')
export const updateFirm = (body: Static<typeof TenantPatch>, version: number): Promise<Tenant> =>
  patch('/v1/tenants/current', body, version)

/** The three steps of a new logo. `onStep` hears where it is, from 0 to 100. */
export const uploadLogo = async (file: File, onStep: (percent: number) => void): Promise<Tenant> => {
  onStep(10)
  const upload = await post<Upload>('/v1/tenants/current/logo-upload', {
    contentType: file.type,
    fileSize: file.size,
  })
  onStep(40)
  await apiFetch(upload.uploadUrl, { method: upload.method, headers: upload.headers, body: file })
  onStep(80)
  const tenant = await post<Tenant>('/v1/tenants/current/logo-confirm', { key: upload.key })
  onStep(100)
  return tenant
}
