import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { MIB } from '../../../platform/bytes.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { statement } from '../../../platform/db/statement.ts'
import { invalid } from '../../../platform/problem.ts'
import { FieldCodeWord } from '../../../platform/problem-codes.ts'
import { runTask } from '../../../platform/query-runner/task.ts'
import { sha256Hex } from '../../../platform/secrets.ts'
import { say } from '../../../words/say.ts'
import { checkUpload, mayForce, tellOfForced } from './refused-files.ts'
import { sanctionsErrors } from './sanctions.errors.ts'
import { type ListIn, type ListOut, type ListsOut, toList } from './sanctions.model.ts'
import { listStates } from './sanctions.states.ts'
import { type ListRow, sanctionsEntries, sanctionsLists } from './sanctions.table.ts'
import type { ParseInput } from './sanctions.tasks.ts'

const Entries = Type.Object({
  entries: Type.Array(
    Type.Object({
      reference: Type.String(),
      kind: Type.Union([Type.Literal('person'), Type.Literal('entity')]),
      names: Type.Array(Type.String()),
      births: Type.Array(Type.String()),
      countries: Type.Array(Type.String()),
      programme: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
})

const Parsed = Type.Union([
  Entries,
  Type.Object({ refused: Type.Object({ path: Type.String(), code: FieldCodeWord, message: Type.String() }) }),
])

const INSERT = `INSERT INTO sanctions_entries (tenant_id, list_id, reference, kind, names, births, countries, programme) VALUES (?1,?2,?3,?4,?5,?6,?7,?8)`
/**
 * Loads an official list. A child parses it, since twenty megabytes of XML would block other requests. The list
 * replaces its source's former one, whose entries stay until all clients were screened in the background; no money
 * leaves until then. RULES “Sanctions”.
 */
export async function loadList(
  ctx: Ctx,
  input: Static<typeof ListIn>,
  findFile: FindFile = () => undefined,
): Promise<Static<typeof ListOut>> {
  const { files, hash } = toParseFiles(input, findFile)
  const before = ctx.db.find(sanctionsLists, { source: input.source, current: true })
  if (before?.hash === hash) throw sanctionsErrors.same_list()
  const file = { source: input.source, hash }
  const force = input.force === true && mayForce(ctx, file)
  const entries = await checkUpload(ctx, file, async () => {
    const parsed = await parseApart({ source: input.source, files, force }, ctx.tenantId)
    if (before && !force) refuseShrunken(ctx, before, parsed, 'content' in files ? 'content' : 'files')
    return parsed
  })
  return ctx.writeSteps('sanctions.load', function* (tx): Generator<void, Static<typeof ListOut>> {
    const old = tx.find(sanctionsLists, { source: input.source, current: true })
    if (old) {
      tx.transition(
        sanctionsLists,
        old.id,
        listStates,
        'replaced',
        { current: false },
        { action: 'sanctions.supersede' },
      )
    }
    const list = tx.insert(sanctionsLists, {
      source: input.source,
      listVersion: input.version,
      hash,
      entries: entries.length,
      // a list that was never fully screened cannot be restored
      replaces: old?.status === 'screening' ? old.replaces : (old?.id ?? null),
    })
    for (const [index, { reference, kind, names, births, countries, programme }] of entries.entries()) {
      tx.execute(INSERT, [
        list.id,
        reference,
        kind,
        JSON.stringify(names),
        JSON.stringify(births),
        JSON.stringify(countries),
        programme,
      ])
      if (index % 200 === 199) yield
    }
    if (force) tellOfForced(tx, ctx, input.source)
    return toList(list)
  })
}

/** Returns the path of the file that has a text of the request if the text was too long for memory. */
type FindFile = (text: string) => string | undefined

/** Returns the child's input, and the hash of all files together. */
function toParseFiles(
  { content, files }: Static<typeof ListIn>,
  findFile: FindFile,
): { files: ParseInput['files']; hash: string } {
  const toPart = (text: string) => {
    const path = findFile(text)
    // if the text is in a file, the body has its hash
    return path === undefined ? { part: { text }, hash: sha256Hex(text) } : { part: { path }, hash: text }
  }
  if (content !== undefined && files === undefined) {
    const { part, hash } = toPart(content)
    return { files: { content: part }, hash }
  }
  if (files === undefined || content !== undefined) throw invalid('content', 'one_of', say('sanctions.field.one_of'))
  const [sdn, alt, add] = [toPart(files.sdn), toPart(files.alt), toPart(files.add)]
  return {
    files: { sdn: sdn.part, alt: alt.part, add: add.part },
    hash: sha256Hex([sdn, alt, add].map(({ hash }) => `${hash}\n`).join('')),
  }
}

/** Reading OFAC's sdn.xml of 41 MB took a gigabyte. */
const PARSE_BYTES = 1536 * MIB

async function parseApart(input: ParseInput, holder: string): Promise<Static<typeof Entries>['entries']> {
  const answer = Value.Decode(
    Parsed,
    await runTask('sanctions.parse', input, { deadlineMs: 2 * MINUTE, bytes: PARSE_BYTES, holder }),
  )
  if ('entries' in answer) return answer.entries
  const { path, code, message } = answer.refused
  throw invalid(path, code, message)
}

const NAMES = statement(
  sql`SELECT coalesce(sum(json_array_length(${sanctionsEntries.names})), 0) AS n FROM ${sanctionsEntries}
  WHERE ${sanctionsEntries.tenantId} = ?1 AND ${sanctionsEntries.listId} = ?2`,
)

/** Refuses a file with less than half of the former names: a truncated file would clear most people. */
function refuseShrunken(ctx: Ctx, before: ListRow, entries: readonly { names: string[] }[], field: string): void {
  const had = ctx.db.query<{ n: number }>(NAMES, [before.id])[0]?.n ?? 0
  const has = entries.reduce((sum, { names }) => sum + names.length, 0)
  if (has * 2 >= had) return
  throw invalid(field, 'shrunken', say('sanctions.field.shrunken', { has, had }))
}

/** Lists loaded lists, the current ones first. */
export function listLists(ctx: Ctx): Static<typeof ListsOut> {
  const rows = ctx.db.list(sanctionsLists, {}, { orderBy: 'createdAt', descending: true, limit: 200 })
  return {
    data: [...rows.filter(({ current }) => current), ...rows.filter(({ current }) => !current)].map(toList),
    nextCursor: null,
  }
}
