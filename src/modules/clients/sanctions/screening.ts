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

// from what speaks against to what speaks for
const BIRTHS = ['differs', 'unknown', 'same_year', 'same'] as const
const COUNTRIES = ['differs', 'unknown', 'same'] as const

type Hit = Static<typeof Screened>['hits'][number]

/**
 * Whether a match says more than the one that was cleared. The
 * score alone does not tell: the very same name is 100 already.
 */
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

/** Whom to compare with what; null means everybody, and every current list. */
type Scope = Pick<ScreenInput, 'traderIds' | 'listIds'>

/** So many matches are noted in one write. */
const NOTED_AT_ONCE = 100

/** Screens in a child, killed at the deadline, then notes what was found. */
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
