import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { LIST_SOURCES } from './list-sources.ts'
import { hitStates } from './sanctions.states.ts'
import { type HitRow, sanctionsHits } from './sanctions.table.ts'
import type { ScreenInput } from './sanctions.tasks.ts'

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

// ordered from evidence against a match to evidence for it
const BIRTHS = ['differs', 'unknown', 'same_year', 'same'] as const
const COUNTRIES = ['differs', 'unknown', 'same'] as const

type Hit = Static<typeof Screened>['hits'][number]

/**
 * Returns whether a match has more evidence than the cleared one. The score alone does not show it, since an identical
 * name has 100 already.
 */
const saysMore = (now: Hit, cleared: HitRow): boolean =>
  now.score > cleared.score ||
  BIRTHS.indexOf(now.explanation.birth) > BIRTHS.indexOf(cleared.explanation.birth) ||
  COUNTRIES.indexOf(now.explanation.country) > COUNTRIES.indexOf(cleared.explanation.country)

/** Stores one match. A cleared hit opens again if there is more evidence now; a confirmed one stays. */
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

/** The clients and lists to compare; null means all clients, or all current lists. */
type Scope = Pick<ScreenInput, 'traderIds' | 'listIds'>

/** One write stores this many matches. */
const NOTED_AT_ONCE = 100

/** Screens in a child, which is killed at the deadline, and stores the matches. */
export async function screen(
  ctx: Ctx,
  scope: Scope,
  options: { deadlineMs: number; signal: AbortSignal },
): Promise<{ screened: number; found: number }> {
  const { screened, hits } = Value.Decode(
    Screened,
    await ctx.runTask('sanctions.screen', scope, { ...options, background: true }),
  )
  for (let start = 0; start < hits.length; start += NOTED_AT_ONCE) {
    await ctx.write('sanctions.hit', (tx) => {
      for (const hit of hits.slice(start, start + NOTED_AT_ONCE)) note(tx, hit)
      return null
    })
  }
  return { screened, found: hits.length }
}
