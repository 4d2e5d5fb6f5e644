import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId, getTraderId, refuseImpersonation } from '../../../platform/access/principal.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { getDownloads } from '../../../platform/http/answers/downloads.ts'
import { invalid, notFound } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import type { Upload } from '../../base/files/files.model.ts'
import { attachFile, createUpload, takeUpload } from '../../base/files/files.service.ts'
import { traders } from '../traders/traders.table.ts'
import { type DocumentConfirmIn, type DocumentOut, type DocumentUploadIn, toDocument } from './kyc.model.ts'
import { kycDocuments } from './kyc.table.ts'

/** Returns the client of a KYC request: the one who is signed in, or the one whom staff name. */
export function getSubject(ctx: Ctx, db: Reader, traderId: string | undefined): string {
  const subject = getTraderId(ctx.principal, traderId)
  if (!db.find(traders, { id: subject })) throw invalid('traderId', 'unknown', say('problems.field.client_unknown'))
  return subject
}

/** Returns a signed address that takes one document: PDF, JPEG, PNG, WebP or HEIC of at most 15 MiB. RULES “KYC”. */
export function startDocumentUpload(ctx: Ctx, input: Static<typeof DocumentUploadIn>): Promise<Upload> {
  refuseImpersonation(ctx)
  return ctx.write('kyc.document_upload', (tx) => {
    const traderId = getSubject(ctx, tx, input.traderId)
    return createUpload(ctx, tx, { purpose: 'kyc', contentType: input.contentType, size: input.fileSize, traderId })
  })
}

/** Records an uploaded document if its content has the announced type. Its client was named when it was announced. */
export async function confirmDocument(
  ctx: Ctx,
  input: Static<typeof DocumentConfirmIn>,
): Promise<Static<typeof DocumentOut>> {
  refuseImpersonation(ctx)
  const file = takeUpload(ctx, input.key, 'kyc')
  if (file.traderId === null || (input.traderId !== undefined && input.traderId !== file.traderId)) throw notFound()
  const { traderId, id: fileId, contentType, size } = file
  return ctx.write('kyc.document_confirm', (tx) => {
    attachFile(tx, fileId, false)
    return toDocument(
      tx.insert(kycDocuments, {
        traderId,
        fileId,
        kind: input.kind,
        side: input.side ?? null,
        contentType,
        size,
        uploadedBy: findStaffId(ctx.principal),
      }),
    )
  })
}

/** The file extension of each accepted type. */
export const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
}

/** Sends a document as a download, with a type that browsers must not guess. The view is audited before. */
export async function viewDocument(ctx: Ctx, id: string): Promise<Response> {
  refuseImpersonation(ctx)
  const document = ctx.db.get(kycDocuments, id)
  ctx.db.scope.seen?.(document.traderId)
  await ctx.write('kyc.document_view', (tx) =>
    tx.audit({ entity: 'kyc_document', entityId: id, traderId: document.traderId }),
  )
  const headers = {
    'content-type': document.contentType,
    'content-disposition': `attachment; filename="${document.kind}-${id.slice(-8)}.${EXTENSIONS[document.contentType] ?? 'bin'}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  }
  const answer = getDownloads(ctx).send(ctx, document.size, headers, () => ctx.blobs.get(document.fileId))
  if (!answer) throw notFound()
  return answer
}
