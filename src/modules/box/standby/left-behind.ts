import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { toIso } from '../../../platform/clock.ts'
import { openBlobStore } from '../../../platform/db/blobs.ts'
import { readFact } from '../../../platform/db/box-facts.ts'
import { tenantIds } from '../../../platform/db/directory.ts'
import { statement } from '../../../platform/db/statement.ts'
import { csvText } from '../../../platform/http/answers/csv.ts'
import type { Found } from '../../../platform/replication/histories.ts'
import { MARK } from '../../../platform/replication/lineage.ts'
import type { Notes } from '../../../platform/replication/notes.ts'
import type { MasterBox } from '../../../platform/secrets.ts'
import type { Connection } from '../../../platform/sqlite.ts'
import { PromotedNote, promotedName } from '../../../platform/standby/promotion.ts'
import { files } from '../../base/files/files.table.ts'
import { auditData, auditEntries } from '../../clients/audit/audit.table.ts'

const COLUMNS = ['firm', 'seq', 'at', 'by', 'action', 'entity', 'id', 'before', 'after'] as const

const a = auditEntries
const LATER = statement(sql`SELECT ${a.seq} AS seq, ${a.at} AS at, ${a.actorKind} AS actorKind, ${a.actorId} AS actorId,
    ${a.action} AS action, ${a.entity} AS entity, ${a.entityId} AS entityId,
    ${auditData.before} AS before, ${auditData.after} AS after
  FROM ${auditEntries} LEFT JOIN ${auditData} ON ${auditData.tenantId} = ${a.tenantId} AND ${auditData.seq} = ${a.seq}
  WHERE ${a.tenantId} = ?1 AND ${a.seq} > ?2 ORDER BY ${a.seq} LIMIT ?3`)
const HASH_AT = statement(sql`SELECT ${a.hash} AS hash FROM ${auditEntries} WHERE ${a.tenantId} = ?1 AND ${a.seq} = ?2`)
const PAPERS = statement(sql`SELECT ${files.tenantId} AS tenantId, ${files.id} AS id, ${files.createdAt} AS createdAt,
    ${files.traderId} AS traderId, ${files.purpose} AS purpose, ${files.contentType} AS contentType
  FROM ${files} WHERE ${files.status} <> 'awaiting' AND ${files.createdAt} >= ?1 ORDER BY ${files.createdAt}, ${files.id}`)

type Entry = {
  seq: number
  at: number
  actorKind: string
  actorId: string | null
  action: string
  entity: string
  entityId: string | null
  before: string | null
  after: string | null
}
type Paper = {
  tenantId: string
  id: string
  createdAt: number
  traderId: string | null
  purpose: string
  contentType: string
}

/** So many entries are read at once. */
const BATCH = 1_000
/** Documents travel apart from rows, and later: those of this time (ms) before the last sign are listed too. */
const PAPERS_EARLIER = 10 * 60_000

/**
 * Returns the note about the takeover that went on from the data of a directory, among the histories of its
 * installation; undefined if there is none.
 */
export async function findTakeover(
  books: Connection,
  histories: readonly Found[],
  notes: Notes,
): Promise<PromotedNote | undefined> {
  const mark = readFact(books, MARK)?.value
  if (!mark) return undefined
  // a takeover that was killed may have left a note too, before the one that came to its end
  for (const history of histories.filter(({ from }) => from === mark.lineage).toReversed()) {
    const note = await notes.read(promotedName(history.id), PromotedNote)
    if (note?.proof === 'ours') return note.value
  }
  return undefined
}

/**
 * Yields the audit entries of a firm that the new server lacks, as lines. If the logs do not agree at the last entry
 * that arrived, the first line has its number and the action `differs`.
 */
function* listLeft(books: Connection, tenantId: string, head: PromotedNote['heads'][string] | undefined) {
  const { sequence, hash } = head ?? { sequence: 0, hash: '' }
  const here = books.get<{ hash: string }>(HASH_AT, [tenantId, sequence])?.hash
  if (sequence > 0 && here !== hash) yield [tenantId, sequence, '', '', 'differs', 'audit_entry', '', '', '']
  for (let after = sequence; ; ) {
    const entries = books.all<Entry>(LATER, [tenantId, after, BATCH])
    for (const { seq, at, actorKind, actorId, action, entity, entityId, before, after: now } of entries)
      yield [tenantId, seq, toIso(at), actorId ?? actorKind, action, entity, entityId ?? '', before ?? '', now ?? '']
    const last = entries.at(-1)
    if (!last) return
    after = last.seq
  }
}

/** Returns the documents that may not have arrived: those since shortly before the last sign that did. */
const listPapers = (books: Connection, { until }: PromotedNote): Paper[] =>
  books.all<Paper>(PAPERS, [until === null ? 0 : Date.parse(until) - PAPERS_EARLIER])

const toPaperLine = ({ tenantId, id, createdAt, ...paper }: Paper) => [
  tenantId,
  '',
  toIso(createdAt),
  '',
  'document',
  'file',
  id,
  '',
  JSON.stringify(paper),
]

/**
 * Yields as CSV what the data here has and the server lacks that took over: audit entries of each firm in their order,
 * then the documents of that time, some of which may have arrived.
 */
export function* listLeftBehind(books: Connection, note: PromotedNote): Generator<string> {
  yield csvText([COLUMNS])
  for (const tenantId of tenantIds(books))
    for (const line of listLeft(books, tenantId, note.heads[tenantId])) yield csvText([line])
  for (const paper of listPapers(books, note)) yield csvText([toPaperLine(paper)])
}

/** Writes the documents that may not have arrived into a directory, each under its firm and id. Returns how many. */
export function writePapers(
  books: Connection,
  note: PromotedNote,
  { path, secrets, into }: { path: string; secrets: MasterBox; into: string },
): number {
  const blobs = openBlobStore(path, secrets)
  let written = 0
  try {
    for (const { tenantId, id } of listPapers(books, note)) {
      const bytes = blobs.get(tenantId, id)
      if (!bytes) continue
      mkdirSync(join(into, tenantId), { recursive: true, mode: 0o700 })
      writeFileSync(join(into, tenantId, id), bytes, { mode: 0o600 })
      written += 1
    }
    return written
  } finally {
    blobs.close()
  }
}
