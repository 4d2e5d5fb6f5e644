import { atLeast, topRole } from '../../platform/access/catalogue.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import type { Reader } from '../../platform/db/reader.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { invalid } from '../../platform/http/problem.ts'
import { readFirmSettings } from '../tenants/firm-settings.ts'
import { users } from '../users/users.table.ts'

/** Who reports: a server of a trading platform, which numbers its reports. */
export type Feed = { platform: string; server: string; sequence: number }

const STREAMS = { positions: 'position_streams', accounts: 'account_streams' } as const
/** How far a feed may jump, so that no mistaken number makes every later report an old one. rules.md “Feeds”. */
const LARGEST_JUMP = 1_000_000
/** Where a new feed may begin: some count from zero and some begin with the time, and each must have room to go on. */
const LARGEST_START = 2 ** 52
/** Account numbers of one answer at most. */
const NAMED = 1000

/**
 * Refuses a platform that the firm does not name in its settings: what it reports would belong to no account, and
 * nobody would notice.
 */
export function mustBePlatform(db: Reader, name: string): void {
  const { platforms } = readFirmSettings(db)
  if (platforms.includes(name)) return
  throw invalid('platform', 'unknown', 'is not among the trading platforms in the firm’s settings')
}

/** The last sequence taken from a feed, -1 before the first. A number too far ahead is a 422. */
export function lastTaken(tx: Tx, kind: keyof typeof STREAMS, { platform, server, sequence }: Feed): number {
  const sql = `SELECT sequence FROM ${STREAMS[kind]} WHERE tenant_id = ?1 AND platform = ?2 AND server = ?3`
  const last = tx.query<{ sequence: number }>(sql, [platform, server])[0]?.sequence
  if (sequence > (last === undefined ? LARGEST_START : last + LARGEST_JUMP))
    throw invalid(
      'sequence',
      'jump',
      `must be at most ${last === undefined ? 'two to the 52nd' : 'a million above the last'}`,
    )
  return last ?? -1
}

/** Notes that a report was taken. */
export function advance(tx: Tx, kind: keyof typeof STREAMS, { platform, server, sequence }: Feed): void {
  tx.execute(
    `INSERT INTO ${STREAMS[kind]} (tenant_id, platform, server, sequence, updated_at) VALUES (?1,?2,?3,?4,?5)
      ON CONFLICT (tenant_id, platform, server) DO UPDATE SET sequence = excluded.sequence, updated_at = excluded.updated_at`,
    [platform, server, sequence, tx.now],
  )
}

/**
 * Whether a caller speaks for the platform: by a key that an owner made. A key of anybody else's is that person where
 * their own booking is concerned, for whoever may make keys could otherwise be the platform for themselves.
 */
export function isBridge(db: Reader, { principal }: Pick<Ctx, 'principal'>): boolean {
  if (principal.kind !== 'api_key') return false
  const maker = db.find(users, { id: principal.userId })
  return maker !== undefined && atLeast(topRole(maker.roles), 'owner')
}

const BRIDGE = `SELECT bridge_sequence AS last FROM account_streams
  WHERE tenant_id = ?1 AND platform = ?2 AND server = ?3 AND bridge_sequence IS NOT NULL`
const NOTE_BRIDGE = `UPDATE account_streams SET bridge_sequence = ?4
  WHERE tenant_id = ?1 AND platform = ?2 AND server = ?3`

/**
 * The last sequence that counts for who reports balances: a bridge that has reported before goes on from its own, for
 * a higher number of a person must not silence the platform.
 */
export function lastFor(tx: Tx, ctx: Ctx, feed: Feed): number {
  const last = lastTaken(tx, 'accounts', feed)
  if (!isBridge(tx, ctx)) return last
  return tx.query<{ last: number }>(BRIDGE, [feed.platform, feed.server])[0]?.last ?? last
}

/** Notes that a report of balances was taken, and whether the platform itself made it. */
export function advanceFor(tx: Tx, ctx: Ctx, feed: Feed): void {
  advance(tx, 'accounts', feed)
  if (isBridge(tx, ctx)) tx.execute(NOTE_BRIDGE, [feed.platform, feed.server, feed.sequence])
}

/** What an answer names of account numbers: sorted, the first thousand. */
export const named = (numbers: ReadonlySet<string>): string[] => [...numbers].sort().slice(0, NAMED)
