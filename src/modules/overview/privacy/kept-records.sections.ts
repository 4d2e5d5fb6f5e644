import { sql } from 'drizzle-orm'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { getTableMeta } from '../../../platform/db/tenant-table.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { adjustments } from '../../books/adjustments/adjustments.table.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import {
  payoutDestinations,
  withdrawalDecisions as votes,
  withdrawals,
} from '../../books/withdrawals/withdrawals.table.ts'
import { auditEntries as audit, auditData } from '../../clients/audit/audit.table.ts'
import { kycDocuments, kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import { sanctionsHits } from '../../clients/sanctions/sanctions.table.ts'
import { traderAliases } from '../../clients/traders/merged.table.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { namesThen } from '../../firm/users/users.names.ts'
import { affiliatePayouts } from '../../growth/payouts/payouts.table.ts'
import { BUNDLE_SECTIONS, type Section } from './privacy.bundle.ts'

/** One read takes this many rows, in a few milliseconds. */
const BATCH = 200

/** Sections of the privacy bundle that no record has: messages, network addresses, and deals, which stay themselves. */
const WORDS: ReadonlySet<string> = new Set(['tickets', 'ticketMessages', 'sessions', 'deals', 'ownActs'])

const ABOUT = [
  traders,
  traderAliases,
  accounts,
  kycSubmissions,
  kycDocuments,
  sanctionsHits,
  payoutDestinations,
  deposits,
  withdrawals,
  transfers,
  adjustments,
  affiliatePayouts,
]
const entities = sql.raw(ABOUT.map((table) => `'${getTableMeta(table).entity}'`).join(', '))
const ACTS = statement(
  sql`SELECT ${listed({
    seq: audit.seq,
    at: audit.at,
    actorKind: audit.actorKind,
    actorId: audit.actorId,
    apiKeyId: audit.apiKeyId,
    action: audit.action,
    entity: audit.entity,
    entityId: audit.entityId,
    before: auditData.before,
    after: auditData.after,
  })} FROM ${audit} INDEXED BY audit_trader
  LEFT JOIN ${auditData} ON ${auditData.tenantId} = ?1 AND ${auditData.seq} = ${audit.seq}
  WHERE ${audit.tenantId} = ?1 AND ${audit.traderId} = ?2 AND ${audit.seq} < ?3 AND ${audit.entity} IN (${entities})
  ORDER BY ${audit.seq} DESC LIMIT ?4`,
)
type Act = { seq: number; at: number; actorId: string | null; before: string | null; after: string | null }

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))

/** Yields acts about a client's identity, documents, destinations and money, newest first. */
function* actsAbout(db: Reader, traderId: string): Generator<object[]> {
  for (let seq: number | undefined = Number.MAX_SAFE_INTEGER; seq !== undefined; ) {
    const rows: Act[] = db.query<Act>(ACTS, [traderId, seq, BATCH])
    const nameThen = namesThen(
      db,
      rows.map(({ actorId }) => actorId),
    )
    yield rows.map(({ seq: _, at, before, after, ...act }) => ({
      at: toIso(at),
      ...act,
      actorName: nameThen(act.actorId, at),
      before: parsed(before),
      after: parsed(after),
    }))
    seq = rows.length < BATCH ? undefined : rows.at(-1)?.seq
  }
}

const VOTES = statement(
  sql`SELECT ${listed({
    id: votes.id,
    at: votes.createdAt,
    withdrawalId: votes.withdrawalId,
    userId: votes.userId,
    role: votes.role,
    decision: votes.decision,
    note: votes.note,
    void: votes.void,
  })} FROM ${votes}
  WHERE ${votes.tenantId} = ?1 AND ${votes.id} > ?3 AND ${votes.withdrawalId} IN
    (SELECT ${withdrawals.id} FROM ${withdrawals} WHERE ${withdrawals.tenantId} = ?1 AND ${withdrawals.traderId} = ?2)
  ORDER BY ${votes.id} LIMIT ?4`,
)
type Vote = { id: string; at: number; userId: string; void: number }

function* votesOn(db: Reader, traderId: string): Generator<object[]> {
  for (let id: string | undefined = ''; id !== undefined; ) {
    const rows: Vote[] = db.query<Vote>(VOTES, [traderId, id, BATCH])
    const nameThen = namesThen(
      db,
      rows.map(({ userId }) => userId),
    )
    yield rows.map(({ at, ...vote }) => ({
      at: toIso(at),
      ...vote,
      userName: nameThen(vote.userId, at),
      void: vote.void === 1,
    }))
    id = rows.length < BATCH ? undefined : rows.at(-1)?.id
  }
}

/** The sections of a kept record besides the person: the bundle's documents and money, and who decided about them. */
export const KEPT_SECTIONS: readonly Section[] = [
  ...BUNDLE_SECTIONS.filter(({ name }) => !WORDS.has(name)),
  { name: 'withdrawalDecisions', readRows: votesOn },
  { name: 'acts', readRows: actsAbout },
]
