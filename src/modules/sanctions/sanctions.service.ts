import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Ctx } from '../../platform/access/ctx.ts'
import { staffIdOf } from '../../platform/access/principal.ts'
import { MINUTE } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { invalid } from '../../platform/http/problem.ts'
import { runTask, TaskFailed } from '../../platform/query-runner/task.ts'
import { sha256Hex } from '../../platform/secrets.ts'
import { sanctionsErrors } from './sanctions.errors.ts'
import {
  type DecisionIn,
  type HitOut,
  type ListIn,
  type ListOut,
  type ListsOut,
  toHit,
  toList,
} from './sanctions.model.ts'
import { hitStates, listStates } from './sanctions.states.ts'
import { type HitRow, sanctionsHits, sanctionsLists } from './sanctions.table.ts'

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

const INSERT = `INSERT INTO sanctions_entries (tenant_id, list_id, reference, kind, names, births, countries, programme) VALUES (?1,?2,?3,?4,?5,?6,?7,?8)`
/**
 * Loads an official list file: parsed in a child, since twenty megabytes of XML would hold everybody up; takes the place of the source's list before, whose entries
 * stay until everybody was screened in the background; until then no money leaves. rules.md “KYC”.
 */
export async function loadList(ctx: Ctx, input: Static<typeof ListIn>): Promise<Static<typeof ListOut>> {
  const hash = sha256Hex(input.content)
  const before = ctx.db.find(sanctionsLists, { source: input.source, current: true })
  if (before?.hash === hash) throw sanctionsErrors.same_list()
  const { entries } = await parseApart(input)
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
      // one that was never screened is no list to go back to
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
    return toList(list)
  })
}

async function parseApart({ source, content }: Static<typeof ListIn>): Promise<Static<typeof Entries>> {
  try {
    return Value.Decode(Entries, await runTask('sanctions.parse', { source, content }, { deadlineMs: 2 * MINUTE }))
  } catch (error) {
    if (error instanceof TaskFailed) throw invalid('content', 'malformed', `is not such a list: ${error.message}`)
    throw error
  }
}

/** Loaded lists, the current ones first. */
export function listLists(ctx: Ctx): Static<typeof ListsOut> {
  const rows = ctx.db.list(sanctionsLists, {}, { orderBy: 'createdAt', descending: true, limit: 200 })
  return {
    data: [...rows.filter(({ current }) => current), ...rows.filter(({ current }) => !current)].map(toList),
    nextCursor: null,
  }
}

function decide(
  ctx: Ctx,
  id: string,
  to: 'cleared' | 'confirmed',
  { reason }: Static<typeof DecisionIn>,
  expect: number | undefined,
) {
  return ctx.write(`sanctions.${to === 'cleared' ? 'clear' : 'confirm'}`, (tx: Tx): Static<typeof HitOut> => {
    const { source, listHash } = tx.get(sanctionsHits, id)
    // the decision is about the list as it is now
    const hash = tx.find(sanctionsLists, { source, current: true })?.hash ?? listHash
    const changes: Partial<HitRow> = { reason, decidedBy: staffIdOf(ctx.principal), decidedAt: tx.now, listHash: hash }
    return toHit(tx.transition(sanctionsHits, id, hitStates, to, changes, { expect }))
  })
}

/** It is somebody else: money may go out again. */
export const clearHit = (ctx: Ctx, id: string, input: Static<typeof DecisionIn>, expect: number | undefined) =>
  decide(ctx, id, 'cleared', input, expect)

/** It is the person on the list: money out stays blocked. */
export const confirmHit = (ctx: Ctx, id: string, input: Static<typeof DecisionIn>, expect: number | undefined) =>
  decide(ctx, id, 'confirmed', input, expect)
