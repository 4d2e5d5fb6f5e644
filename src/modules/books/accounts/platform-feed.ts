import { atLeast, topRole } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { invalid } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { platformKey, readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { users } from '../../firm/users/users.table.ts'

/** A server of a trading platform, which numbers its reports. */
type Feed = { platform: string; server: string; sequence: number }

const STREAMS = { positions: 'position_streams', accounts: 'account_streams' } as const
type Stream = keyof typeof STREAMS
/** A feed's number may jump this far; a larger jump by mistake would make all later reports old. RULES “Feeds”. */
const LARGEST_JUMP = 1_000_000
/** A new feed starts below this: some count from zero, some use the time, and all need room to go on. */
const LARGEST_START = 2 ** 52
/** No report has a higher number, so that with it every report is an old one, which changes nothing. */
const LAST_NUMBER = Number.MAX_SAFE_INTEGER
/** A feed with this number took no report yet. */
const NO_NUMBER = -1
/** An answer names at most this many account numbers. */
const NAMED = 1000

/** Refuses a platform that the firm's settings do not list; otherwise its reports would match no account, unnoticed. */
export function mustBePlatform(db: Reader, name: string): void {
  const { platforms } = readFirmSettings(db)
  if (platforms.includes(name)) return
  throw invalid('platform', 'unknown', say('accounts.field.platform_unknown'))
}

/**
 * Returns whether a caller is the platform's bridge: a key made by an owner. Any other key counts as its maker, since
 * otherwise everyone who may make keys could pose as the platform.
 */
export function isBridge(db: Reader, { principal }: Pick<Ctx, 'principal'>): boolean {
  if (principal.kind !== 'api_key') return false
  const maker = db.find(users, { id: principal.userId })
  return maker !== undefined && atLeast(topRole(maker.roles), 'owner')
}

/**
 * Returns the last number taken from a feed, -1 before the first; a number too far ahead is a 422. A bridge's numbers
 * are counted apart, so that a person's report cannot block the bridge.
 */
export function lastTaken(tx: Tx, ctx: Ctx, stream: Stream, { platform, server, sequence }: Feed): number {
  const column = isBridge(tx, ctx) ? 'bridge_sequence' : 'sequence'
  const sql = `SELECT ${column} AS last FROM ${STREAMS[stream]} WHERE tenant_id = ?1 AND platform = ?2 AND server = ?3`
  const last = tx.query<{ last: number | null }>(sql, [platform, server])[0]?.last ?? NO_NUMBER
  const isFirst = last === NO_NUMBER
  if (sequence > (isFirst ? LARGEST_START : last + LARGEST_JUMP))
    throw invalid('sequence', 'jump', say('accounts.field.sequence_jump', { last: String(isFirst) }))
  return last
}

/** Returns whether a platform has a bridge that reports balances, in whatever spelling of its name. */
export function hasBridge(db: Reader, platform: string): boolean {
  const sql = `SELECT DISTINCT platform FROM ${STREAMS.accounts} WHERE tenant_id = ?1 AND bridge_sequence IS NOT NULL`
  return db.query<{ platform: string }>(sql).some((row) => platformKey(row.platform) === platformKey(platform))
}

/**
 * Closes the feeds of a server that Brokerbase reads itself: what anybody pushes for it changes nothing, as a report
 * with an old number does. Its platform has a bridge from then on.
 */
export function closeFeeds(tx: Tx, platform: string, server: string): void {
  for (const table of Object.values(STREAMS))
    tx.execute(
      `INSERT INTO ${table} (tenant_id, platform, server, sequence, bridge_sequence, updated_at)
        VALUES (?1,?2,?3,?5,?5,?4) ON CONFLICT (tenant_id, platform, server) DO UPDATE SET
        sequence = excluded.sequence, bridge_sequence = excluded.bridge_sequence, updated_at = excluded.updated_at`,
      [platform, server, tx.now, LAST_NUMBER],
    )
}

/**
 * Opens the feeds of a server again that is not read any more: they begin with any number. The platform has a bridge
 * still, so that who removes a connection does not lower what a bridge guards.
 */
export function openFeeds(tx: Tx, platform: string, server: string): void {
  for (const table of Object.values(STREAMS))
    tx.execute(
      `UPDATE ${table} SET sequence = ?5, bridge_sequence = ?5
        WHERE tenant_id = ?1 AND platform = ?2 AND server = ?3 AND sequence = ?4`,
      [platform, server, LAST_NUMBER, NO_NUMBER],
    )
}

/** Returns whether a bridge reports a server, in positions or balances; one that Brokerbase reads itself has none. */
export const isReportedByBridge = (db: Reader, platform: string, server: string): boolean =>
  Object.values(STREAMS).some((table) => {
    const sql = `SELECT 1 FROM ${table} WHERE tenant_id = ?1 AND platform = ?2 AND server = ?3
      AND bridge_sequence > ?4 AND bridge_sequence < ?5`
    return db.query(sql, [platform, server, NO_NUMBER, LAST_NUMBER]).length > 0
  })

/** Returns the account numbers to look for; some platforms pad them with blanks. */
export const listNumbers = (part: readonly { accountNumber: string }[]): string[] => [
  ...new Set(part.map(({ accountNumber }) => accountNumber.trim())),
]

/** Stores that a report was taken, and whether the platform's own bridge sent it. */
export function advance(tx: Tx, ctx: Ctx, stream: Stream, { platform, server, sequence }: Feed): void {
  tx.execute(
    `INSERT INTO ${STREAMS[stream]} (tenant_id, platform, server, sequence, bridge_sequence, updated_at)
      VALUES (?1,?2,?3,?4,?5,?6) ON CONFLICT (tenant_id, platform, server) DO UPDATE SET sequence = max(sequence, excluded.sequence),
      bridge_sequence = coalesce(excluded.bridge_sequence, bridge_sequence), updated_at = excluded.updated_at`,
    [platform, server, sequence, isBridge(tx, ctx) ? sequence : null, tx.now],
  )
}

/** Returns the account numbers that an answer names: sorted, the first thousand. */
export const limitNumbers = (numbers: ReadonlySet<string>): string[] => [...numbers].sort().slice(0, NAMED)
