import type { Ctx } from '../../../platform/access/ctx.ts'
import { KIB } from '../../../platform/bytes.ts'
import { getDownloads } from '../../../platform/http/answers/downloads.ts'
import { type ZipFile, zip } from '../../../platform/http/answers/zip.ts'
import { EXTENSIONS } from '../../clients/kyc/kyc.documents.ts'

/** The memory needed besides the file being sent: rows that were read, and the compressed part. */
const BESIDE = 512 * KIB

type Paper = { id: string; contentType: string; size: number }

/**
 * Answers with an archive that is made while it is sent: `bundle.json` from these texts, and the documents under
 * `files/` as uploaded. `note` stores the download before the first byte, and may refuse it. If the caller loses
 * session or role meanwhile, nothing more is sent.
 */
export async function sendArchive(
  ctx: Ctx,
  name: string,
  { texts, papers }: { texts: Iterable<string>; papers: readonly Paper[] },
  note: () => Promise<unknown>,
): Promise<Response> {
  const checked = function* <T>(items: Iterable<T>): Generator<T> {
    for (const item of items) {
      if (!ctx.stillHolds()) throw new Error('the session that asked for the archive is over')
      yield item
    }
  }
  const contents: ZipFile[] = [
    { name: 'bundle.json', texts: checked(texts) },
    ...papers.map(({ id, contentType }) => ({
      name: `files/${id}.${EXTENSIONS[contentType] ?? 'bin'}`,
      bytes: () => ctx.blobs.get(id),
    })),
  ]
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${name}.zip"`,
    'x-content-type-options': 'nosniff',
  }
  const largest = Math.max(0, ...papers.map(({ size }) => size))
  // this comes first, so that nothing is noted if there is no room for the download
  const answer = getDownloads(ctx).sendPieces(ctx, largest + BESIDE, headers, zip(checked(contents)))
  try {
    await note()
  } catch (error) {
    await answer.body?.cancel()
    throw error
  }
  return answer
}
