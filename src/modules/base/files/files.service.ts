import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sql } from 'drizzle-orm'
import { fileTypeFromBuffer } from 'file-type'
import type { BoxCtx, Ctx } from '../../../platform/access/ctx.ts'
import { HOUR, MINUTE, toIso } from '../../../platform/clock.ts'
import { type Directory, lookUp } from '../../../platform/db/directory.ts'
import { listed } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { Admission, Admit } from '../../../platform/http/body/body.ts'
import { readUrlQuery } from '../../../platform/http/body/request-line.ts'
import { validationProblem } from '../../../platform/http/body/validation.ts'
import { invalid, notFound, wrongState } from '../../../platform/problem.ts'
import { sha256Hex } from '../../../platform/secrets.ts'
import { say } from '../../../words/say.ts'
import { fileErrors } from './files.errors.ts'
import { FILE_RULES, SignedQuery, type Upload } from './files.model.ts'
import { refuseOverQuota } from './files.quota.ts'
import { fileStates } from './files.states.ts'
import { type FilePurpose, type FileRow, files } from './files.table.ts'
import { getPublicFileCache } from './public-file-cache.ts'

const UPLOAD_LIFE = 15 * MINUTE
/** An upload is kept for this long unless it is attached; clients normally confirm it in their next call. */
const WAITING_LIFE = HOUR
/** The library that detects the type reads at most this many bytes. */
const TYPE_SHOWS_IN = 4100

const signed = (row: { id: string; contentType: string; size: number }, expires: number): string =>
  [row.id, row.contentType, row.size, expires].join('\n')

/**
 * Announces one upload of exactly this type and size, and answers the signed address that takes it once, within 15
 * minutes. 422 names `contentType` or `fileSize` if the purpose does not allow it; 429 and 409 mean that there is no
 * room.
 */
export function createUpload(
  ctx: Ctx,
  tx: Tx,
  {
    purpose,
    contentType,
    size,
    traderId = null,
  }: { purpose: FilePurpose; contentType: string; size: number; traderId?: string | null },
): Upload {
  const { types, maxBytes } = FILE_RULES[purpose]
  if (!types.includes(contentType))
    throw invalid('contentType', 'not_allowed', say('files.field.type_not_allowed', { types: types.join(', ') }))
  if (size > maxBytes)
    throw invalid('fileSize', 'too_large', say('files.field.file_too_large', { maxBytes: maxBytes / 1024 / 1024 }))
  refuseOverQuota(ctx, tx, traderId, size)
  const expiresAt = tx.now + UPLOAD_LIFE
  const file = tx.insert(files, { traderId, purpose, contentType, size, status: 'awaiting', expiresAt })
  const signature = ctx.signatures.sign('upload', signed(file, expiresAt))
  return {
    key: file.id,
    uploadUrl: `/v1/files/${file.id}?expires=${expiresAt}&signature=${signature}`,
    method: 'PUT',
    headers: { 'content-type': contentType },
    expiresAt: toIso(expiresAt),
  }
}

type Found = Pick<FileRow, 'tenantId' | 'id' | 'traderId' | 'contentType' | 'size' | 'status'> & { public: number }
const BY_KEY = lookUp<Found>(
  sql`SELECT ${listed({
    tenantId: files.tenantId,
    id: files.id,
    traderId: files.traderId,
    contentType: files.contentType,
    size: files.size,
    status: files.status,
    public: files.public,
  })} FROM ${files} WHERE ${files.id} = ?`,
)

/** Finds a file by its key in all firms, since signed and public addresses do not name a firm. */
const findFile = (directory: Directory, key: string): Found | undefined => directory.find(BY_KEY, key)

const wrongSize = (size: number) =>
  fileErrors.wrong_size({
    errors: [{ path: 'body', code: 'wrong_size', message: say('files.field.wrong_size', { size }) }],
  })

/** Returns the upload that a signed address was made for. An unknown key and a wrong signature get the same answer. */
function findAnnounced(
  admission: Admission,
  key: string,
  { expires, signature }: Static<typeof SignedQuery>,
  contentType: string,
): Found {
  const file = findFile(admission.directory, key)
  const announced = file ?? { id: key, contentType: '', size: 0 }
  const valid = admission.signatures.verify('upload', signed(announced, Number(expires)), signature)
  if (!file || !valid) throw fileErrors.bad_signature()
  if (Number(expires) <= admission.now()) throw fileErrors.expired()
  if (contentType.toLowerCase() !== file.contentType) {
    throw fileErrors.wrong_type({
      errors: [
        {
          path: 'header.content-type',
          code: 'wrong_type',
          message: say('files.field.wrong_type', { contentType: file.contentType }),
        },
      ],
    })
  }
  return file
}

/** Checks an upload before its bytes are read: signature, expiry, announced type, and the declared size. */
export const admitUpload: Admit = (admission, request, params) => {
  const query: unknown = Object.fromEntries(readUrlQuery(request.url))
  if (!Value.Check(SignedQuery, query)) throw validationProblem('query', SignedQuery, query)
  const file = findAnnounced(admission, params.key ?? '', query, request.headers.get('content-type') ?? '')
  if (file.status !== 'awaiting') throw wrongState('file', file.status)
  const tooLarge = () => wrongSize(file.size)
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) !== file.size) throw tooLarge()
  return { maxBytes: file.size, tooLarge, holder: [file.tenantId, file.traderId ?? 'staff', file.id] }
}

const PDF = 'application/pdf'
/** PDF readers look for the header within this many bytes, since scanners and mail programs put something before it. */
const PDF_BEGINS_IN = 1024

/** Returns whether the bytes have the announced type. Every accepted type is recognised by its first bytes. */
async function isOfType(bytes: Uint8Array, contentType: string): Promise<boolean> {
  const found = await fileTypeFromBuffer(bytes.subarray(0, TYPE_SHOWS_IN))
  if (found === undefined && contentType === PDF)
    return Buffer.from(bytes.subarray(0, PDF_BEGINS_IN)).includes('%PDF-', 0, 'latin1')
  // phones write both formats into one container and use either name
  return (found?.mime === 'image/heif' ? 'image/heic' : found?.mime) === contentType
}

/**
 * Takes the bytes of an announced upload: the signature is the permission. The type is checked here, since reading 15
 * MiB again at each confirmation would block other requests. Refused bytes are not kept; the row then has no hash.
 */
export async function receiveUpload(
  ctx: BoxCtx,
  key: string,
  signed: Static<typeof SignedQuery>,
  contentType: string,
  bytes: Uint8Array,
): Promise<null> {
  const file = findAnnounced(ctx, key, signed, contentType)
  if (bytes.byteLength !== file.size) throw wrongSize(file.size)
  const uploader = ctx.enter(file.tenantId, { kind: 'anonymous' })
  const taken = await isOfType(bytes, file.contentType)
  const sha256 = taken ? sha256Hex(bytes) : null
  return uploader.write('file.upload', (tx) => {
    const changes = { sha256, expiresAt: tx.now + WAITING_LIFE }
    tx.transition(files, file.id, fileStates, 'uploaded', changes)
    // inside the write, so that only the upload that won stores its bytes; if the commit fails they are unreachable and
    // the next try replaces them
    if (taken) uploader.blobs.put(file.id, bytes, tx.now)
    return null
  })
}

/** Returns an uploaded file of this purpose whose content has the announced type. 404 for another purpose or tenant. */
export function takeUpload(ctx: Ctx, key: string, purpose: FilePurpose): FileRow {
  const file = ctx.db.find(files, { id: key, purpose })
  if (!file) throw notFound()
  if (file.status !== 'uploaded') throw wrongState('file', file.status)
  if (file.expiresAt <= ctx.now()) throw fileErrors.expired()
  if (file.sha256 === null) {
    throw fileErrors.wrong_content({
      errors: [
        {
          path: 'key',
          code: 'wrong_content',
          message: say('files.field.wrong_content', { contentType: file.contentType }),
        },
      ],
    })
  }
  return file
}

/** Attaches an uploaded file to a record for good; `isPublic` serves it to everyone. 409 if it is already attached. */
export function attachFile(tx: Tx, id: string, isPublic: boolean): FileRow {
  if (tx.get(files, id).expiresAt <= tx.now) throw fileErrors.expired()
  return tx.transition(files, id, fileStates, 'attached', { public: isPublic })
}

/** Releases an attached file: it is not served after this commit, and the purge removes its bytes. */
export function releaseFile(tx: Tx, id: string): void {
  if (!tx.find(files, { id, status: 'attached' })) return
  tx.update(files, id, { status: 'uploaded', public: false, expiresAt: tx.now }, { action: 'file.release' })
}

/** Returns type and bytes of a public file, else 404. The row is read each time, so a released file is gone at once. */
export function readPublicFile(ctx: BoxCtx, key: string): { contentType: string; bytes: Uint8Array<ArrayBuffer> } {
  const file = findFile(ctx.directory, key)
  if (file?.status !== 'attached' || file.public !== 1) throw notFound()
  const { tenantId, id, contentType } = file
  const bytes = getPublicFileCache(ctx).take(id, () => ctx.enter(tenantId, { kind: 'anonymous' }).blobs.get(id))
  if (!bytes) throw notFound()
  return { contentType, bytes }
}
