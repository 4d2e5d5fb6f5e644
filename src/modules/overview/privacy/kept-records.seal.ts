import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { KIB } from '../../../platform/bytes.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { releaseFile } from '../../base/files/files.service.ts'
import { files } from '../../base/files/files.table.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { leastEnd } from '../../clients/kept-records/kept-records.end.ts'
import { type KeptReason, keptRecords, keptParts as parts } from '../../clients/kept-records/kept-records.table.ts'
import { readFirmName } from '../../firm/auth/auth.own-account.ts'
import { KEPT_SECTIONS } from './kept-records.sections.ts'
import { buildBundle } from './privacy.bundle.ts'
import { findLastAct } from './retention.ts'

/** This much text is compressed and sealed at once, which takes some milliseconds. */
const PIECE = 256 * KIB

const sealContext = ({ tenantId }: Ctx, id: string): string => `kept:${tenantId}:${id}`

// documents of a record no longer name the client, so that the erasure does not find them
const LET_GO = statement(
  sql`UPDATE ${files} SET ${bare(files.traderId)} = NULL
  WHERE ${files.tenantId} = ?1 AND ${files.traderId} = ?2 AND ${files.status} = 'attached'`,
)

/**
 * Seals what the law keeps of a client into one record, and returns its number. It runs in the steps of the transaction
 * that erases the person, so that exactly one of client and record exists at any time. Documents stay where they are,
 * since they are sealed with the firm's key. RULES “Erasure”.
 */
export function* sealRecord(tx: Tx, ctx: Ctx, traderId: string, reason: KeptReason): Generator<void, string> {
  const lastAt = findLastAct(tx, traderId)
  const keptUntil = leastEnd(lastAt, tx.now, readFirmSettings(tx).keepYears)
  const { id: recordId } = tx.insert(keptRecords, { reason, lastAt, keptUntil }, 'kept_record.create')
  let position = 0
  const add = (part: { id?: string; sealed?: Uint8Array; fileId?: string }): void => {
    tx.insert(parts, { sealed: null, fileId: null, ...part, recordId, position })
    position += 1
  }
  for (const piece of pieces(buildBundle(tx, traderId, { at: tx.now, firm: readFirmName(ctx) }, KEPT_SECTIONS))) {
    if (piece) {
      const id = ctx.ids.next('kpp')
      add({ id, sealed: ctx.secrets.seal(deflateRawSync(piece), sealContext(ctx, id)) })
    }
    yield
  }
  for (const { id } of tx.list(files, { traderId, status: 'attached' })) add({ fileId: id })
  tx.execute(LET_GO, [traderId])
  return recordId
}

/** Yields texts in pieces of one size, and null whenever a piece is not full yet, so that the caller may pause. */
function* pieces(texts: Iterable<string>): Generator<Uint8Array | null> {
  let waiting = Buffer.alloc(0)
  for (const text of texts) {
    waiting = Buffer.concat([waiting, Buffer.from(text)])
    for (; waiting.byteLength >= PIECE; waiting = waiting.subarray(PIECE)) yield waiting.subarray(0, PIECE)
    yield null
  }
  yield waiting
}

const PARTS = statement(
  sql`SELECT ${listed({ id: parts.id, fileId: parts.fileId, contentType: files.contentType, size: files.size })}
  FROM ${parts} LEFT JOIN ${files} ON ${files.tenantId} = ?1 AND ${files.id} = ${parts.fileId}
  WHERE ${parts.tenantId} = ?1 AND ${parts.recordId} = ?2 ORDER BY ${parts.position}`,
)
type Part = { id: string; fileId: string | null; contentType: string; size: number }

/** Returns the text of a record, which is opened while it is sent, and its documents. */
export function openRecord(ctx: Ctx, recordId: string) {
  const all = ctx.db.query<Part>(PARTS, [recordId])
  const papers = all.flatMap(({ fileId: id, contentType, size }) => (id === null ? [] : [{ id, contentType, size }]))
  const texts = function* (): Generator<string> {
    const decoder = new TextDecoder()
    for (const { id, fileId } of all) {
      if (fileId !== null) continue
      const { sealed } = ctx.db.get(parts, id)
      // the end of a piece may split a character
      if (sealed) yield decoder.decode(inflateRawSync(ctx.secrets.open(sealed, sealContext(ctx, id))), { stream: true })
    }
  }
  return { texts: texts(), papers }
}

const REMOVE_PARTS = statement(sql`DELETE FROM ${parts} WHERE ${parts.tenantId} = ?1 AND ${parts.recordId} = ?2`)

/** Erases a record with its documents; the purge of files removes their bytes. */
export function eraseRecord(tx: Tx, recordId: string): void {
  const papers = tx.query<Part>(PARTS, [recordId])
  tx.execute(REMOVE_PARTS, [recordId])
  for (const { fileId } of papers) if (fileId !== null) releaseFile(tx, fileId)
  tx.remove(keptRecords, recordId)
}
