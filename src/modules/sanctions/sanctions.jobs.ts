import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { systemCtx } from '../../platform/access/ctx.ts'
import { MINUTE, SECOND } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Platform } from '../../platform/platform.ts'
import { runTask } from '../../platform/query-runner/task.ts'
import { LIST_SOURCES } from './list-sources.ts'
import { hitStates } from './sanctions.states.ts'
import { type HitRow, sanctionsHits } from './sanctions.table.ts'
import type { ScreenInput } from './sanctions.tasks.ts'

const NAME = 'sanctions.screen'
const BATCH = 500

const Word = Type.Union([
  Type.Literal('same'),
  Type.Literal('same_year'),
  Type.Literal('differs'),
  Type.Literal('unknown'),
])
const Country = Type.Union([Type.Literal('same'), Type.Literal('differs'), Type.Literal('unknown')])
const Screened = Type.Object({
  screened: Type.Integer(),
  hits: Type.Array(
    Type.Object({
      traderId: Type.String(),
      source: Type.Union(LIST_SOURCES.map((source) => Type.Literal(source))),
      reference: Type.String(),
      name: Type.String(),
      score: Type.Integer(),
      explanation: Type.Object({
        listedAs: Type.String(),
        nameScore: Type.Integer(),
        words: Type.Array(Type.Object({ ours: Type.String(), theirs: Type.String(), similarity: Type.Integer() })),
        birth: Word,
        country: Country,
      }),
      listHash: Type.String(),
    }),
  ),
})

const TENANTS = 'SELECT DISTINCT tenant_id AS tenantId FROM sanctions_lists WHERE current = 1'
const UNSCREENED = 'SELECT id FROM sanctions_lists WHERE tenant_id = ? AND current = 1 AND screened_at IS NULL'
const CHANGED = `SELECT position, trader_id AS traderId FROM events WHERE tenant_id = ? AND position > ?
  AND event IN ('trader.created', 'trader.updated') AND trader_id IS NOT NULL ORDER BY position LIMIT ${BATCH}`
const LAST = 'SELECT coalesce(max(position), 0) AS position FROM events WHERE tenant_id = ?'
const READ = 'SELECT value FROM job_state WHERE name = ?'
const WRITE =
  'INSERT INTO job_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'
const SCREENED = 'UPDATE sanctions_lists SET screened_at = ?2 WHERE tenant_id = ?1 AND id = ?3'

const stateKey = (tenantId: string): string => `sanctions.position.${tenantId}`

// from what speaks against to what speaks for
const BIRTHS = ['differs', 'unknown', 'same_year', 'same'] as const
const COUNTRIES = ['differs', 'unknown', 'same'] as const

type Hit = Static<typeof Screened>['hits'][number]

/** Whether a match says more than the one that was cleared. The score alone does not tell: the very same name is 100 already. */
const saysMore = (now: Hit, cleared: HitRow): boolean =>
  now.score > cleared.score ||
  BIRTHS.indexOf(now.explanation.birth) > BIRTHS.indexOf(cleared.explanation.birth) ||
  COUNTRIES.indexOf(now.explanation.country) > COUNTRIES.indexOf(cleared.explanation.country)

/** Notes one match. A cleared hit opens again when it now says more than what was cleared; a confirmed one stays. */
function note(tx: Tx, hit: Hit): void {
  const { traderId, source, reference, score, explanation, listHash } = hit
  const known = tx.find(sanctionsHits, { traderId, source, reference })
  if (!known) tx.insert(sanctionsHits, hit)
  else if (known.status === 'open') tx.update(sanctionsHits, known.id, { score, explanation, listHash })
  else if (known.status === 'cleared' && saysMore(hit, known)) {
    const undecided = { reason: null, decidedBy: null, decidedAt: null }
    tx.transition(
      sanctionsHits,
      known.id,
      hitStates,
      'open',
      { score, explanation, listHash, ...undecided },
      { action: 'sanctions.reopen' },
    )
  }
}

/** Screens in a child, then notes what was found. */
async function screen(
  platform: Platform,
  signal: AbortSignal,
  tenantId: string,
  traderIds: string[] | null,
): Promise<Static<typeof Screened>> {
  const input: ScreenInput = { database: join(platform.config.dataDir, 'brokerbase.db'), tenantId, traderIds }
  const result = Value.Decode(
    Screened,
    await runTask(NAME, input, { deadlineMs: 15 * MINUTE, signal, background: true }),
  )
  const ctx = systemCtx(platform, tenantId, NAME)
  for (let start = 0; start < result.hits.length; start += 100) {
    await ctx.write('sanctions.hit', (tx) => {
      for (const hit of result.hits.slice(start, start + 100)) {
        note(tx, hit)
      }
      return null
    })
  }
  return result
}

/** Screens everybody when a list is new, and whoever was created or changed since the last look. rules.md “KYC”. */
export const screenTraders = defineJob({
  name: NAME,
  every: 15 * SECOND,
  onEvents: true,
  run: async ({ platform, signal }) => {
    const { reader, writer, connection, clock } = platform
    let screened = 0
    let found = 0
    for (const { tenantId } of reader.all<{ tenantId: string }>(TENANTS)) {
      if (signal.aborted) break
      const fresh = reader.all<{ id: string }>(UNSCREENED, [tenantId])
      const stored = reader.get<{ value: string }>(READ, [stateKey(tenantId)])
      // read before the screening: what changes during it is looked at again
      const end = reader.get<{ position: number }>(LAST, [tenantId])?.position ?? 0
      const changed = reader.all<{ position: number; traderId: string }>(CHANGED, [
        tenantId,
        Number(stored?.value ?? end),
      ])
      if (fresh.length === 0 && changed.length === 0) continue
      const ids = fresh.length > 0 ? null : [...new Set(changed.map(({ traderId }) => traderId))]
      const result = await screen(platform, signal, tenantId, ids)
      const position = fresh.length > 0 ? end : (changed.at(-1)?.position ?? end)
      await writer.submit(() => {
        for (const { id } of fresh) connection.run(SCREENED, [tenantId, clock.now(), id])
        connection.run(WRITE, [stateKey(tenantId), String(position)])
      })
      screened += result.screened
      found += result.hits.length
    }
    return screened === 0 ? null : `${screened} traders screened, ${found} matches`
  },
})
