import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Upload, UploadIn } from '../../base/files/files.model.ts'
import { attachFile, createUpload, takeUpload } from '../../base/files/files.service.ts'
import type { Tenant } from './tenants.model.ts'
import { setLogo } from './tenants.service.ts'

/** Returns a signed address that takes a logo: PNG, JPEG or WebP of at most 1 MiB. RULES “Firm settings”. */
export function startLogoUpload(ctx: Ctx, { contentType, fileSize }: Static<typeof UploadIn>): Promise<Upload> {
  return ctx.write('tenant.logo_upload', (tx) =>
    createUpload(ctx, tx, { purpose: 'logo', contentType, size: fileSize }),
  )
}

/**
 * Makes the uploaded file the firm's logo if its content has the announced type, and releases the former logo. RULES
 * “Firm settings”.
 */
export async function confirmLogo(ctx: Ctx, key: string): Promise<Tenant> {
  const { id } = takeUpload(ctx, key, 'logo')
  return ctx.write('tenant.logo_confirm', (tx) => {
    attachFile(tx, id, true)
    return setLogo(tx, `/v1/files/${id}`)
  })
}
