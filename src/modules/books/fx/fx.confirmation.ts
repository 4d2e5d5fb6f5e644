import { sql } from 'drizzle-orm'
import { atLeast, type Role } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, findStaffId } from '../../../platform/access/principal.ts'
import { parseRoles } from '../../../platform/access/session.ts'
import { HOUR } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { parseRate } from '../../../platform/money.ts'
import { readPeople } from '../../firm/independence/people.ts'
import { users } from '../../firm/users/users.table.ts'
import { jumps, type PastPrices, repeats } from './fx.history.ts'
import { waitingRate } from './fx.lookup.ts'
import type { StoredRate } from './fx.quotes.ts'

/** An owner without a second person confirms alone after this time. RULES “FX”. */
const FORCE_AFTER = HOUR

type Pool = StoredRate['pool']

const active = sql`SELECT ${listed({ id: users.id, roles: users.roles })} FROM ${users}
  WHERE ${users.status} = 'active' AND ${users.deletedAt} IS NULL`
const STAFF = statement(sql`${active} AND ${users.tenantId} = ?1`)
// administrators of the pool may be in any firm of the box
const EVERYBODY = statement(sql`${active} AND ?1 <> ''`)
const LEAST: Record<Pool, Role> = { tenant: 'admin', global: 'platform_admin' }

/**
 * Returns who may confirm a waiting rate: another person (or their key) who may set rates. If there is none, the owner
 * may, by sending it again after an hour. `db` must see the whole firm.
 */
export function findConfirmer(
  db: Reader,
  rate: StoredRate,
  now: number,
): { by: 'another_person' | 'owner'; from: number } {
  const people = readPeople(db, now)
  const mayConfirm = db
    .query<{ id: string; roles: string }>(rate.pool === 'tenant' ? STAFF : EVERYBODY)
    .filter(({ roles }) => parseRoles(roles).some((role) => atLeast(role, LEAST[rate.pool])))
    .some(({ id }) => isOther(people, id, rate))
  return mayConfirm
    ? { by: 'another_person', from: rate.createdAt }
    : { by: 'owner', from: rate.createdAt + FORCE_AFTER }
}

const isOther = (people: ReturnType<typeof readPeople>, userId: string, { createdBy }: StoredRate): boolean =>
  createdBy === null || !people.samePerson(createdBy, userId)

/** The decision about a rate that was sent. */
export type Verdict =
  /** It applies from now on; `proposedBy` sent the waiting rate that it confirms. */
  | { kind: 'holds'; proposedBy: string | null }
  /** It waits for another person. */
  | { kind: 'waits' }
  /** The same person sent it before, and it still waits. */
  | { kind: 'known'; rate: StoredRate }

/** Decides whether a new rate applies at once, waits for a second person, or confirms one that waits. RULES “FX”. */
export function judge(
  tx: Tx,
  ctx: Ctx,
  { base, quote, rate }: { base: string; quote: string; rate: string },
  { pool, past, force }: { pool: Pool; past: PastPrices; force: boolean },
): Verdict {
  if (!jumps(past, { base, quote }, parseRate(rate))) return { kind: 'holds', proposedBy: null }
  const waiting = waitingRate(tx, { base, quote, pool })
  if (!waiting || !repeats(rate, waiting.rate)) return { kind: 'waits' }
  const userId = findStaffId(ctx.principal)
  const people = readPeople(tx, tx.now)
  const confirmed = { kind: 'holds', proposedBy: waiting.createdBy } as const
  const known = { kind: 'known', rate: waiting } as const
  // a colleague chose this person's password and so could act as them
  if (userId === null || people.mustChange(userId)) return known
  if (isOther(people, userId, waiting)) return confirmed
  const role = findRole(ctx.principal)
  if (!force || role === null || !atLeast(role, pool === 'tenant' ? 'owner' : 'platform_admin')) return known
  const { by, from } = findConfirmer(tx, waiting, tx.now)
  return by === 'owner' && from <= tx.now ? confirmed : known
}
