import type { AffiliateStatus } from '../affiliates/affiliates.table.ts'
import { MOST_LEVELS } from '../affiliates/affiliates.tree-moves.ts'
import type { Member, Terms } from './compute.ts'

/** The parent, plan and status of an affiliate from a moment on. */
export type TermsRow = { parentId: string | null; planId: string | null; status: AffiliateStatus; validFrom: number }

/** The terms of affiliates and the versions of plans, each list beginning with the oldest. */
export type History = {
  terms: ReadonlyMap<string, readonly TermsRow[]>
  plans: ReadonlyMap<string, readonly (Terms & { validFrom: number })[]>
}

/** The merge of a client into another one. */
export type Merge = { target: string; at: number }

/** Returns the last entry until a moment from a list that begins with the oldest. */
export const lastUntil = <T extends { validFrom: number }>(rows: readonly T[], at: number): T | undefined =>
  rows.findLast(({ validFrom }) => validFrom <= at)

function planAt(plans: History['plans'], planId: string | null, at: number): Terms | null {
  return (planId === null ? undefined : lastUntil(plans.get(planId) ?? [], at)) ?? null
}

/**
 * Returns the affiliates above a client at a moment, from the client's broker upwards. One that was inactive then, or
 * is the client (`same`), earns nothing.
 */
export function chainAt(
  { terms, plans }: History,
  affiliateId: string,
  at: number,
  same: (affiliateId: string) => boolean,
): Member[] {
  const chain: Member[] = []
  const seen = new Set<string>()
  for (let id: string | null = affiliateId; id !== null && !seen.has(id) && chain.length < MOST_LEVELS; ) {
    seen.add(id)
    const held: TermsRow | undefined = lastUntil(terms.get(id) ?? [], at)
    if (!held) break
    chain.push({ affiliateId: id, terms: planAt(plans, held.planId, at), earns: held.status === 'active' && !same(id) })
    id = held.parentId
  }
  return chain
}

/** Returns the terms of an affiliate at a moment: those of its plan, or of its last plan before. */
export function lastTermsAt({ terms, plans }: History, affiliateId: string, at: number): Terms | null {
  for (const { planId, validFrom } of (terms.get(affiliateId) ?? []).toReversed()) {
    const found = validFrom <= at ? planAt(plans, planId, at) : null
    if (found) return found
  }
  return null
}

/** Returns the client into whom an owner was merged by a moment; later merges change nothing. */
export function clientAt(merges: ReadonlyMap<string, Merge>, owner: string, at: number): string {
  let client = owner
  for (let merge = merges.get(client); merge && merge.at <= at; merge = merges.get(client)) client = merge.target
  return client
}
