import { type Column, type SQL, sql } from 'drizzle-orm'
import { bare, statement } from '../../../platform/db/statement.ts'
import { getTableMeta, type TenantTable } from '../../../platform/db/tenant-table.ts'
import type { Problem } from '../../../platform/problem.ts'
import { files } from '../../base/files/files.table.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { adjustments } from '../../books/adjustments/adjustments.table.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { positions } from '../../books/positions/positions.table.ts'
import { pspExceptions } from '../../books/psp/psp.table.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import { payoutDestinations, withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { kycDocuments, kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import { sanctionsHits } from '../../clients/sanctions/sanctions.table.ts'
import { ticketMessages, tickets } from '../../clients/support/support.table.ts'
import { traderAliases } from '../../clients/traders/merged.table.ts'
import { traderNotes } from '../../clients/traders/traders.table.ts'
import { clientActs } from '../../firm/independence/independence.table.ts'
import { affiliates } from '../../growth/affiliates/affiliates.table.ts'
import { commissionLines } from '../../growth/commissions/commissions.table.ts'
import { leads } from '../../growth/leads/leads.table.ts'
import { affiliatePayouts } from '../../growth/payouts/payouts.table.ts'
import { terminalInstructions } from '../../terminals/instructions/instructions.table.ts'
import { importLines } from '../imports/imports.table.ts'
import { mergeErrors } from './merges.errors.ts'

/** One statement moves this many rows; other requests run between two statements. */
export const STRETCH = 250

type Owned = TenantTable & { tenantId: Column; id: Column }
/** Rows that get another owner. `both` is the refusal if both clients have such rows. */
export type Move = {
  table: Owned
  column: Column
  entity: string
  sql: string
  timed: boolean
  shown: boolean
  both?: () => Problem
}

/** Returns the move of one column's rows from a client (?2) to another (?3), in steps; ?4 is the time, if needed. */
function moves(
  table: Owned,
  column: Column,
  changed: { version?: Column; updatedAt?: Column } = {},
  { shown = true, ...rest }: { shown?: boolean; both?: () => Problem } = {},
): Move {
  const sets: SQL[] = [sql`${bare(column)} = ?3`]
  if (changed.version) sets.push(sql`${bare(changed.version)} = ${changed.version} + 1`)
  if (changed.updatedAt) sets.push(sql`${bare(changed.updatedAt)} = ?4`)
  const text = statement(
    sql`UPDATE ${table} SET ${sql.join(sets, sql.raw(', '))}
    WHERE ${table.tenantId} = ?1 AND ${table.id} IN (SELECT ${table.id} FROM ${table}
      WHERE ${table.tenantId} = ?1 AND ${column} = ?2 LIMIT ${sql.raw(String(STRETCH))})`,
  )
  return {
    table,
    column,
    entity: getTableMeta(table).entity,
    sql: text,
    timed: changed.updatedAt !== undefined,
    shown,
    ...rest,
  }
}

/**
 * What a merge does with every table that names a client, by the table's name. A contract test compares it with the
 * schema, so it fails for a new table that is not here.
 */
export const MOVES: Readonly<Record<string, readonly Move[]>> = {
  accounts: [moves(accounts, accounts.traderId, accounts)],
  affiliate_payouts: [moves(affiliatePayouts, affiliatePayouts.traderId, affiliatePayouts, { shown: false })],
  affiliates: [moves(affiliates, affiliates.traderId, affiliates, { both: mergeErrors.two_affiliates })],
  adjustments: [moves(adjustments, adjustments.traderId, adjustments)],
  // acts for one client count for the other one from now on
  client_acts: [moves(clientActs, clientActs.traderId, {}, { shown: false })],
  commission_lines: [moves(commissionLines, commissionLines.traderId, {}, { shown: false })],
  deposits: [moves(deposits, deposits.traderId, deposits)],
  files: [moves(files, files.traderId, {}, { shown: false })],
  // a file's line about the merged client is about the remaining one from now on
  import_lines: [moves(importLines, importLines.traderId, {}, { shown: false })],
  kyc_documents: [moves(kycDocuments, kycDocuments.traderId)],
  kyc_submissions: [moves(kycSubmissions, kycSubmissions.traderId, kycSubmissions)],
  leads: [moves(leads, leads.traderId, leads)],
  // a destination that was old for one client is new for the other one
  payout_destinations: [
    moves(payoutDestinations, payoutDestinations.traderId, { updatedAt: payoutDestinations.createdAt }),
  ],
  positions: [moves(positions, positions.traderId, positions)],
  psp_exceptions: [moves(pspExceptions, pspExceptions.traderId, pspExceptions, { shown: false })],
  sanctions_hits: [moves(sanctionsHits, sanctionsHits.traderId, sanctionsHits)],
  terminal_instructions: [
    moves(terminalInstructions, terminalInstructions.traderId, terminalInstructions, { shown: false }),
  ],
  ticket_messages: [moves(ticketMessages, ticketMessages.traderId, {}, { shown: false })],
  tickets: [moves(tickets, tickets.traderId, tickets)],
  trader_aliases: [moves(traderAliases, traderAliases.traderId, {}, { shown: false })],
  trader_notes: [moves(traderNotes, traderNotes.traderId)],
  transfers: [
    moves(transfers, transfers.traderId, { updatedAt: transfers.updatedAt }),
    moves(transfers, transfers.toTraderId, { updatedAt: transfers.updatedAt }, { shown: false }),
  ],
  withdrawals: [moves(withdrawals, withdrawals.traderId, withdrawals)],
}

/** Tables whose rows still name the merged client, each with the reason. */
export const STAYS: Readonly<Record<string, string>> = {
  audit: 'never rewritten: the timeline of who is left shows both',
  credentials: 'the password of who is merged away is removed',
  events: 'told already, as it was',
  file_usage: 'follows the files by triggers',
  ledger_entries: 'never rewritten: what the wallets held is posted over',
  one_time_links: 'links of who is merged away are removed',
  sanctions_due: 'a mark of the screening, and nobody is left to screen',
  sessions: 'sessions of who is merged away are ended',
  trader_labels: 'follows the segments and tags by triggers',
  trader_affiliations: 'what was closed before a merge is looked up by who was whose then',
  views: 'who looked as whom is history',
  wallets: 'emptied by postings into the wallets of who is left',
}

/** Unique indexes that a moved row could violate, each with what is done before it moves. */
export const COLLISIONS: Readonly<Record<string, string>> = {
  affiliates_trader: 'two affiliates are refused',
  kyc_submissions_open: 'the one that waits of who is merged away is closed',
  payout_destinations_once: 'equal destinations become one',
  sanctions_hits_once: 'equal hits become one, the stricter decision wins',
  trader_aliases_once: 'an alias that both have is kept once',
}
