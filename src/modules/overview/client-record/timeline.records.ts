import { type Static, Type } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { mayCall } from '../../../platform/access/principal.ts'
import type { Row, TenantTable } from '../../../platform/db/tenant-table.ts'
import { formatAmount } from '../../../platform/money.ts'
import { Amount, Currency, Id, Nullable } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { adjustments } from '../../books/adjustments/adjustments.table.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { pspConnections } from '../../books/deposits/gateways.table.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import { payoutDestinations, withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { kycDocuments, kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import { sanctionsHits } from '../../clients/sanctions/sanctions.table.ts'
import { ticketMessages, tickets } from '../../clients/support/support.table.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { users } from '../../firm/users/users.table.ts'
import { affiliates } from '../../growth/affiliates/affiliates.table.ts'
import { leads } from '../../growth/leads/leads.table.ts'
import { mayRead } from './timeline.kinds.ts'

export const TimelineRecord = nameSchema(
  'TimelineRecord',
  Type.Object(
    {
      entity: Type.String(),
      id: Id,
      name: Nullable(Type.String()),
      reference: Nullable(Type.String()),
      amount: Nullable(Amount),
      currency: Nullable(Currency),
    },
    {
      description:
        'the present record that the entry is about; for a message its ticket, for a document its submission',
    },
  ),
)
export type TimelineRecord = Static<typeof TimelineRecord>

type Entry = { entity: string; entityId: string | null }
type Facts = Partial<Pick<TimelineRecord, 'name' | 'reference' | 'amount' | 'currency'>> & {
  /** The record that the row is a part of, if it is a part. */
  of?: { entity: string; id: string }
}
type Source = (ctx: Ctx, ids: readonly string[]) => Map<string, Facts>

/** Returns a reader of one table's rows by id, in one statement, with the facts to show about each. */
const from =
  <T extends TenantTable>(table: T, toFacts: (row: Row<T>) => readonly [id: string, Facts]): Source =>
  (ctx, ids) => {
    const found = ctx.db.select(table, ' AND id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)], {
      withDeleted: true,
    })
    return new Map(found.map(toFacts))
  }

const toMoney = ({ amount, currency }: { amount: bigint; currency: string }) => ({
  amount: formatAmount(amount, currency),
  currency,
})
const formatName = ({ firstName, lastName }: { firstName: string | null; lastName: string | null }): string | null =>
  [firstName, lastName].filter(Boolean).join(' ') || null

const SOURCES: Readonly<Record<string, Source>> = {
  deposit: from(deposits, (row) => [row.id, { ...toMoney(row), reference: row.providerReference }]),
  withdrawal: from(withdrawals, (row) => [row.id, { ...toMoney(row), reference: row.paymentReference }]),
  adjustment: from(adjustments, (row) => [row.id, toMoney(row)]),
  transfer: from(transfers, ({ id, fromAmount, fromCurrency, reference }) => [
    id,
    { ...toMoney({ amount: fromAmount, currency: fromCurrency }), reference },
  ]),
  payout_destination: from(payoutDestinations, ({ id, holder }) => [id, { name: holder }]),
  account: from(accounts, ({ id, accountNumber, currency }) => [id, { name: accountNumber, currency }]),
  kyc_submission: from(kycSubmissions, ({ id }) => [id, {}]),
  kyc_document: from(kycDocuments, ({ id, submissionId }) => [
    id,
    submissionId === null ? {} : { of: { entity: 'kyc_submission', id: submissionId } },
  ]),
  sanctions_hit: from(sanctionsHits, ({ id, name, reference }) => [id, { name, reference }]),
  ticket: from(tickets, ({ id, subject }) => [id, { name: subject }]),
  ticket_message: from(ticketMessages, ({ id, ticketId }) => [id, { of: { entity: 'ticket', id: ticketId } }]),
  lead: from(leads, (row) => [row.id, { name: formatName(row) }]),
}

/** Reads facts about rows, with one statement for each kind. */
function read(ctx: Ctx, rows: readonly { entity: string; id: string }[]): Map<string, Facts> {
  const found = new Map<string, Facts>()
  for (const [entity, ids] of Map.groupBy(rows, (row) => row.entity))
    for (const [id, facts] of SOURCES[entity]?.(ctx, [...new Set(ids.map((row) => row.id))]) ?? []) found.set(id, facts)
  return found
}

/**
 * Returns the records to show for entries, by the id of the entry's own row. The caller must be allowed to read every
 * kind among the entries; who may read a part may also read the record in its `of`.
 */
export function findRecords(ctx: Ctx, entries: readonly Entry[]): Map<string, TimelineRecord> {
  const rows = entries.flatMap(({ entity, entityId }) => (entityId === null ? [] : [{ entity, id: entityId }]))
  const own = read(ctx, rows)
  const wholes = read(
    ctx,
    [...own.values()].flatMap(({ of }) => of ?? []),
  )
  const records = new Map<string, TimelineRecord>()
  for (const { entity, id } of rows) {
    const facts = own.get(id)
    if (!facts) continue
    const { of: whole = { entity, id } } = facts
    const { name = null, reference = null, amount = null, currency = null } = wholes.get(whole.id) ?? facts
    records.set(id, { ...whole, name, reference, amount, currency })
  }
  return records
}

type Fields = Record<string, unknown> | null

/** The tables to read names from, by the prefix of the id, with the right that each needs. */
const NAMES: Readonly<Record<string, { open: (ctx: Ctx) => boolean; read: Source }>> = {
  usr: {
    open: ({ principal }) => mayCall(principal, { scope: 'users:read', role: 'viewer' }),
    read: from(users, ({ id, displayName }) => [id, { name: displayName }]),
  },
  acc: {
    open: ({ principal }) => mayRead(principal, 'account'),
    read: from(accounts, ({ id, accountNumber }) => [id, { name: accountNumber }]),
  },
  trd: {
    open: ({ principal }) => mayRead(principal, 'trader'),
    read: from(traders, (row) => [row.id, { name: formatName(row) }]),
  },
  aff: {
    open: ({ principal }) => mayCall(principal, { scope: 'affiliates:read', role: 'viewer' }),
    read: from(affiliates, ({ id, code }) => [id, { name: code }]),
  },
  psp: {
    open: ({ principal }) => mayCall(principal, { scope: 'psp:read', role: 'admin' }),
    read: from(pspConnections, ({ id, name }) => [id, { name }]),
  },
}
const AN_ID = /^(usr|acc|trd|aff|psp)_[0-9a-z]{20,40}$/

/** Returns the names of the rows whose ids are in these fields, as far as the caller may read them. */
export function namesIn(ctx: Ctx, versions: readonly Fields[]): Map<string, string> {
  const ids = new Set<string>()
  for (const fields of versions)
    for (const value of Object.values(fields ?? {})) if (typeof value === 'string' && AN_ID.test(value)) ids.add(value)
  const names = new Map<string, string>()
  for (const [prefix, some] of Map.groupBy(ids, (id) => id.slice(0, 3))) {
    const kind = NAMES[prefix]
    if (!kind?.open(ctx)) continue
    for (const [id, { name }] of kind.read(ctx, some)) if (name) names.set(id, name)
  }
  return names
}
