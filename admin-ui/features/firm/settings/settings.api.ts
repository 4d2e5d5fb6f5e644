import { type Answer, type Body, call } from '../../../api.ts'
import { apiFetch } from '../../../lib/api/http.ts'

export type Tenant = Answer<'tenants.current'>

export const fetchFirm = () => call('tenants.current')
export const updateFirm = (body: Body<'tenants.updateCurrent'>, version: number) =>
  call('tenants.updateCurrent', { body, ifMatch: version })

/** Uploads a new logo in three steps. `onStep` gets the progress in per cent. */
export const uploadLogo = async (file: File, onStep: (percent: number) => void): Promise<Tenant> => {
  onStep(10)
  const upload = await call('tenants.logoUpload', { body: { contentType: file.type, fileSize: file.size } })
  onStep(40)
  await apiFetch(upload.uploadUrl, { method: upload.method, headers: upload.headers, body: file })
  onStep(80)
  const tenant = await call('tenants.logoConfirm', { body: { key: upload.key } })
  onStep(100)
  return tenant
}
