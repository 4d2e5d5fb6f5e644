import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { DAY, toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { Id, Nullable, OneOf, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { say } from '../../../words/say.ts'
import { pspConnections } from '../../books/deposits/gateways.table.ts'
import { auditEntries as audit, auditData } from '../../clients/audit/audit.table.ts'
import { apiKeys } from '../../firm/api-keys/api-keys.table.ts'
import { voidLinks } from '../../firm/auth/auth.own-account.ts'
import { endSessions } from '../../firm/auth/auth.service.ts'
import { credentials } from '../../firm/auth/auth.table.ts'
import { readPeople } from '../../firm/independence/people.ts'
import { actorName, mailOwners } from '../../firm/users/users.notices.ts'
import { type UserRow, users } from '../../firm/users/users.table.ts'
import { webhookSubscriptions } from '../../firm/webhooks/webhooks.table.ts'
import { adConnections } from '../../growth/ads/ads.table.ts'
import { terminalConnections } from '../../terminals/connections/connections.table.ts'
import { imports } from '../imports/imports.table.ts'

const LATELY = 30 * DAY
/** A mail lists this many of each kind, so that it stays readable; the answer has all. */
const MOST = 100

const Left = nameSchema('LeftBehindItem', Type.Object({ id: Id, label: Type.String(), at: Nullable(Time) }))
export const LeavesBehindOut = nameSchema(
  'LeavesBehind',
  Type.Object({
    gateways: Type.Array(Left, { description: 'whose secret they entered' }),
    adConnections: Type.Array(Left, { description: 'whose secrets they entered last' }),
    terminals: Type.Array(Left, { description: 'trading servers whose settings in force they entered or confirmed' }),
    colleagues: Type.Array(Left, { description: 'whose accounts they could use: invited, or by a link or password' }),
    receivers: Type.Array(Left, { description: 'webhook receivers that they made or changed, by their host' }),
    apiKeys: Type.Array(Type.Composite([Left, Type.Object({ revokedAt: Nullable(Time) })])),
    secretsRead: Type.Array(
      Type.Object({ what: OneOf(['recovery_words', 'backup']), label: Nullable(Type.String()), at: Time }),
      { description: 'views of the recovery words and downloads of snapshots' },
    ),
    clients: Type.Object({ entered: Type.Integer(), last30Days: Type.Integer() }),
    imports: Type.Array(Type.Composite([Left, Type.Object({ clients: Type.Integer() })]), {
      description: 'files of clients that they brought',
    }),
  }),
)
type LeavesBehind = Static<typeof LeavesBehindOut>

// the audit has the time when credentials were entered, and never their values
const AD_SECRETS = statement(
  sql`SELECT ${listed({ id: adConnections.id, label: adConnections.name, at: audit.at })}
  FROM ${adConnections} JOIN ${audit} ON ${audit.tenantId} = ${adConnections.tenantId} AND ${audit.seq} = (
    SELECT max(entry.seq) FROM ${audit} AS entry
    JOIN ${auditData} ON ${auditData.tenantId} = entry.tenant_id AND ${auditData.seq} = entry.seq
    WHERE entry.tenant_id = ?1 AND entry.entity_id = ${adConnections.id}
      AND json_extract(${auditData.after}, '$.credentials') IS NOT NULL)
  WHERE ${adConnections.tenantId} = ?1 AND ${adConnections.deletedAt} IS NULL AND ${audit.actorId} = ?2`,
)
// the plus makes SQLite search by the two rare actions, and not through everything that the person ever did
const SECRETS_READ = statement(
  sql`SELECT ${listed({ action: audit.action, at: audit.at })}, json_extract(${auditData.after}, '$.id') AS label
  FROM ${audit} LEFT JOIN ${auditData} ON ${auditData.tenantId} = ${audit.tenantId} AND ${auditData.seq} = ${audit.seq}
  WHERE ${audit.tenantId} = ?1 AND ${audit.action} IN ('recovery_key.show', 'backup.download')
    AND +${audit.actorId} = ?2
  ORDER BY ${audit.seq} DESC`,
)
// the conditions must be those of the index audit_entered; otherwise this would read the whole log
const CLIENTS = statement(
  sql`SELECT count(*) AS entered, coalesce(sum(${audit.at} > ?3), 0) AS "last30Days" FROM ${audit}
  WHERE ${audit.tenantId} = ?1 AND ${audit.actorId} = ?2
    AND ${audit.entity} = 'trader' AND ${audit.action} IN ('trader.create', 'lead.convert')`,
)

const left = ({ id }: { id: string }, label: string, at: number | null) => ({
  id,
  label,
  at: at === null ? null : toIso(at),
})

/** Returns colleagues whose accounts a person could use, as these are not their holders' alone yet. */
function listColleagues(db: Reader, id: string, now: number): LeavesBehind['colleagues'] {
  const people = readPeople(db, now)
  return db
    .list(users, {}, { orderBy: 'id', descending: true })
    .filter((user) => user.id !== id && people.independence(user.id).belongsTo.includes(id))
    .map((user) => left(user, user.displayName, user.createdAt))
}

/** Returns trading servers whose settings in force a person entered or confirmed. */
const listTerminals = (db: Reader, id: string): LeavesBehind['terminals'] =>
  db.list(terminalConnections, {}, { orderBy: 'id', descending: true }).flatMap((row) => {
    if (row.enteredBy.includes(id)) return [left(row, row.name, row.enteredAt)]
    return row.confirmedBy === id ? [left(row, row.name, row.confirmedAt)] : []
  })

/**
 * Returns what a colleague knows, made or entered, and what still works without them: ids and labels, never a secret.
 * RULES “Staff accounts”.
 */
function leavesBehind(db: Reader, id: string, now: number): LeavesBehind {
  const newest = { orderBy: 'id', descending: true } as const
  const receivers = db
    .list(webhookSubscriptions, {}, { orderBy: 'id', descending: true })
    .filter(({ madeBy, changedBy, hands }) => [madeBy, changedBy, ...hands].includes(id))
  const adSecrets = db.query<{ id: string; label: string; at: number }>(AD_SECRETS, [id])
  const read = db.query<{ action: string; at: number; label: string | null }>(SECRETS_READ, [id])
  const [clients = { entered: 0, last30Days: 0 }] = db.query<LeavesBehind['clients']>(CLIENTS, [id, now - LATELY])
  return {
    gateways: db.list(pspConnections, { secretBy: id }, newest).map((row) => left(row, row.name, row.secretAt)),
    adConnections: adSecrets.map((row) => left(row, row.label, row.at)),
    terminals: listTerminals(db, id),
    colleagues: listColleagues(db, id, now),
    // the address behind the host may itself be a secret
    receivers: receivers.map((row) => left(row, new URL(row.url).host, row.createdAt)),
    apiKeys: db.list(apiKeys, { userId: id }, newest).map((row) => ({
      ...left(row, row.label, row.createdAt),
      revokedAt: row.revokedAt === null ? null : toIso(row.revokedAt),
    })),
    secretsRead: read.map(({ action, at, label }) => ({
      what: action === 'backup.download' ? 'backup' : 'recovery_words',
      label,
      at: toIso(at),
    })),
    clients,
    imports: db
      .list(imports, { createdBy: id, dryRun: false }, newest)
      .map((row) => ({ ...left(row, row.fileName ?? row.id, row.createdAt), clients: row.created - row.undone })),
  }
}

/** Answers what a colleague in any state, even a deleted one, leaves behind. */
export function readLeavesBehind(ctx: Ctx, id: string): LeavesBehind {
  ctx.db.get(users, id, { withDeleted: true })
  return leavesBehind(ctx.db, id, ctx.now())
}

const labels = (items: readonly { label: string }[]): string => {
  const named = items
    .slice(0, MOST)
    .map(({ label }) => label)
    .join(', ')
  return items.length > MOST ? say('users.left.and_more', { named, more: items.length - MOST }) : named
}

/** Returns a line for each kind that is not empty. */
function inLines({ clients, secretsRead, ...found }: LeavesBehind): string[] {
  const words = secretsRead.filter(({ what }) => what === 'recovery_words').length
  const lines: [number, string][] = [
    [found.gateways.length, say('users.left.gateways', { labels: labels(found.gateways) })],
    [found.adConnections.length, say('users.left.ad_connections', { labels: labels(found.adConnections) })],
    [found.terminals.length, say('users.left.terminals', { labels: labels(found.terminals) })],
    [found.colleagues.length, say('users.left.colleagues', { labels: labels(found.colleagues) })],
    [found.receivers.length, say('users.left.receivers', { labels: labels(found.receivers) })],
    [found.apiKeys.length, say('users.left.api_keys', { labels: labels(found.apiKeys) })],
    [words, say('users.left.recovery_words', { count: words })],
    [secretsRead.length - words, say('users.left.backups', { count: secretsRead.length - words })],
    [clients.entered, say('users.left.clients', { count: clients.entered, lately: clients.last30Days })],
    [found.imports.length, say('users.left.imports', { labels: labels(found.imports) })],
  ]
  return lines.filter(([count]) => count > 0).map(([, line]) => `- ${line}`)
}

/**
 * Voids invitations that the leaver could have read, and passwords that the leaver gave and that were never changed;
 * these colleagues must be invited again. `by` makes the change and is not affected.
 */
function lockInvited(tx: Tx, id: string, by: string | null): void {
  for (const colleague of listColleagues(tx.unowned, id, tx.now).filter((one) => one.id !== by)) {
    voidLinks(tx, { userId: colleague.id }, 'invite')
    const given = tx.find(credentials, { userId: colleague.id, mustChange: true })
    if (!given) continue
    tx.remove(credentials, given.id)
    endSessions(tx, { userId: colleague.id })
    tx.update(users, colleague.id, { status: 'invited' })
  }
}

/** Locks what the colleague could still use, and mails every owner who left and what they leave behind. */
export function afterLeaving(tx: Tx, ctx: Ctx, user: UserRow, how: 'deleted' | 'disabled'): void {
  lockInvited(tx, user.id, findStaffId(ctx.principal))
  const found = leavesBehind(tx, user.id, tx.now)
  const facts = { name: user.displayName, how, by: actorName(tx, ctx) }
  mailOwners(tx, ctx, () => ({
    subject: say('users.mail.left', facts),
    text: say('users.mail.left_behind', { ...facts, list: inLines(found).join('\n') || say('users.left.nothing') }),
  }))
}
