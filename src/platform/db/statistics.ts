import type { Connection } from '../sqlite.ts'

/**
 * The sizes of tables for SQLite's choice of indices: counts of a firm of 100,000 clients, as `ANALYZE` found them in
 * the benchmarks' data, and plausible ones if that has no rows or too few people. For each index: the number of its
 * rows, then for each of its columns how many rows share a value of it and of the columns before it.
 * All installations have the same numbers, and SQLite does not count: with counts of a small firm, or samples of a
 * large one, it read a whole table although an index has a handful of rows.
 */
export const STATISTICS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  accounts: {
    accounts_balance: '300000 300000 100000 3 1',
    accounts_created: '300000 300000 1 1',
    accounts_currency: '300000 300000 100000 1 1',
    accounts_external: '300000 300000 100000 1',
    accounts_number: '300000 300000 100000 1 1',
    accounts_number_order: '300000 300000 1 1',
    accounts_platform: '300000 300000 100000 1 1',
    accounts_platform_currency: '300000 300000 100000 33334 1 1',
    accounts_server: '300000 300000 30000 1 1',
    accounts_status: '300000 300000 100000 1 1',
    accounts_trader: '300000 300000 4 1 1',
    accounts_updated: '300000 300000 1 1',
    sqlite_autoindex_accounts_1: '300000 300000 1',
  },
  adjustments: {
    adjustments_amount: '20000 20000 6666 1 1',
    adjustments_created: '20000 20000 1 1',
    adjustments_currency: '20000 20000 6666 1 1',
    adjustments_decider: '20000 20000 1000',
    adjustments_requester: '20000 20000 1000',
    adjustments_status: '20000 20000 6666 1 1',
    adjustments_trader: '20000 20000 2 1 1',
    adjustments_updated: '20000 20000 1 1',
    adjustments_wallet: '20000 20000 1',
    sqlite_autoindex_adjustments_1: '20000 20000 1',
  },
  audit: {
    audit: '50000 50000 1',
    audit_action: '50000 50000 250 1',
    audit_actor: '50000 50000 500 1',
    audit_entered: '5000 5000 500 1 1 1',
    audit_entity: '50000 50000 2 1',
    audit_people: '50000 50000 1',
    audit_trader: '50000 50000 2 1',
  },
  audit_data: {
    audit_data: '50000 50000 1',
  },
  import_lines: {
    import_lines_account: '100000 100000 100000 1',
    import_lines_account_id: '100000 100000 1',
    import_lines_client: '100000 100000 2 2 1',
    import_lines_email: '100000 100000 100000 1',
    import_lines_line: '100000 100000 100000 1',
    import_lines_status: '100000 100000 100000 50000 1',
    import_lines_trader: '100000 100000 2',
    import_lines_wrong: '1000 1000 1000 1',
    sqlite_autoindex_import_lines_1: '100000 100000 1',
  },
  deposits: {
    deposits_amount: '250000 250000 83334 1 1',
    deposits_created: '250000 250000 1 1',
    deposits_currency: '250000 250000 83334 1 1',
    deposits_gateway: '125000 125000 12500 1 1',
    deposits_provider: '125000 125000 12500 1',
    deposits_reference: '125000 125000 1',
    deposits_reference_key: '125000 125000 25000 1',
    deposits_settled_order: '250000 250000 2 1',
    deposits_settled: '204923 204923 1 1 1 1',
    deposits_settled_by: '200000 200000 10000 1',
    deposits_status: '250000 250000 62500 1 1',
    deposits_status_currency: '250000 250000 62500 20834 1 1',
    deposits_trader: '250000 250000 3 1 1',
    deposits_trader_settled: '204923 204923 3 1',
    deposits_updated: '250000 250000 1 1',
    sqlite_autoindex_deposits_1: '250000 250000 1',
  },
  kyc_submissions: {
    kyc_submissions_created: '20000 20000 1 1',
    kyc_submissions_decider: '20000 20000 1000',
    kyc_submissions_open: '599 599 1',
    kyc_submissions_status: '20000 20000 6667 1 1',
    kyc_submissions_trader: '20000 20000 1 1 1',
    kyc_submissions_updated: '20000 20000 1 1',
    sqlite_autoindex_kyc_submissions_1: '20000 20000 1',
  },
  leads: {
    leads_assigned: '20000 20000 1000 1 1',
    leads_created: '20000 20000 1 1',
    leads_email: '20000 20000 1',
    leads_lead_gen: '10000 10000 1',
    leads_name_order: '20000 20000 1 1',
    leads_phone: '20000 20000 1',
    leads_status: '20000 20000 2858 1 1',
    leads_status_order: '20000 20000 2858 1',
    leads_trader: '20000 20000 7',
    leads_updated: '20000 20000 1 1',
    sqlite_autoindex_leads_1: '20000 20000 1',
  },
  ledger_entries: {
    ledger_entries_account: '1326616 1326616 265324 1 1',
    ledger_entries_posted: '1326616 1326616 3 1',
    ledger_entries_trader: '1326616 1326616 16',
    ledger_entries_transaction: '1326616 1326616 2',
    ledger_entries_wallet: '1326616 1326616 9 2 1 1 1',
    sqlite_autoindex_ledger_entries_1: '1326616 1326616 1',
  },
  ledger_transactions: {
    ledger_transactions_cause: '663308 663308 165827 1',
    sqlite_autoindex_ledger_transactions_1: '663308 663308 1',
  },
  payout_destinations: {
    payout_destinations_author: '78813 78813 4000',
    payout_destinations_once: '78813 78813 1 1 1',
    payout_destinations_shared: '78813 78813 1',
    sqlite_autoindex_payout_destinations_1: '78813 78813 1',
  },
  positions: {
    positions_account: '200000 200000 3',
    positions_closed: '150000 150000 1 1',
    positions_closed_result: '150000 150000 50000 2 1',
    positions_created: '200000 200000 1 1',
    positions_open: '50000 50000 4546 2273 6 1',
    positions_open_place: '50000 50000 50000 50000 1',
    positions_opened: '200000 200000 1 1',
    positions_status: '200000 200000 100000 1 1',
    positions_status_opened: '200000 200000 100000 1 1',
    positions_status_symbol: '200000 200000 100000 9091 1',
    positions_status_volume: '200000 200000 100000 50 1',
    positions_symbol: '200000 200000 18182 1 1',
    positions_symbol_order: '200000 200000 18182 1',
    positions_ticket: '200000 200000 200000 200000 1',
    positions_trader: '200000 200000 4 1 1',
    positions_trader_open: '50000 50000 2 2 1 1',
    positions_unlinked: '10000 10000 5000 10 1',
    positions_updated: '200000 200000 1 1',
    positions_volume: '200000 200000 100 1',
    sqlite_autoindex_positions_1: '200000 200000 1',
  },
  sanctions_hits: {
    sanctions_hits_created: '20000 20000 1 1',
    sanctions_hits_decider: '20000 20000 1000',
    sanctions_hits_once: '20000 20000 2 2 1',
    sanctions_hits_score: '20000 20000 500 1',
    sanctions_hits_status: '20000 20000 6666 1 1',
    sanctions_hits_status_score: '20000 20000 6666 166 1',
    sanctions_hits_trader: '20000 20000 2 2',
    sanctions_hits_updated: '20000 20000 1 1',
    sqlite_autoindex_sanctions_hits_1: '20000 20000 1',
  },
  ticket_messages: {
    sqlite_autoindex_ticket_messages_1: '20000 20000 1',
    ticket_messages_ticket: '20000 20000 1 1 1',
    ticket_messages_trader: '20000 20000 2',
    ticket_messages_words: '20000 20000 2 1',
  },
  tickets: {
    sqlite_autoindex_tickets_1: '20000 20000 1',
    tickets_assigned: '20000 20000 1000 1 1',
    tickets_created: '20000 20000 1 1',
    tickets_due: '20000 20000 64 1',
    tickets_last_message: '20000 20000 1 1',
    tickets_priority_order: '20000 20000 5000 1',
    tickets_status_priority: '20000 20000 5000 1250 1',
    tickets_status: '20000 20000 5000 1 1',
    tickets_status_due: '20000 20000 5000 63 1',
    tickets_trader: '20000 20000 2 1 1',
    tickets_updated: '20000 20000 1 1',
    tickets_watched: '300 1 1 1',
  },
  trader_labels: {
    trader_labels: '20118 20118 10059 6706 1',
    trader_labels_trader: '20118 20118 2',
  },
  traders: {
    sqlite_autoindex_traders_1: '100000 100000 1',
    traders_active: '100000 100000 1 1',
    traders_affiliate: '25000 25000 250 1 1',
    traders_assigned: '100000 100000 5000 1 1',
    traders_by_email: '100000 1',
    traders_counted: '100000 100000 33334 16667 16667 16667',
    traders_country: '100000 100000 9091 1 1',
    traders_deleted: '100 1',
    traders_email: '100000 100000 1',
    traders_kyc: '100000 100000 50000 1 1',
    traders_live: '100000 100000 1 1',
    traders_merged: '100 100 1',
    traders_name_order: '100000 100000 1 1',
    traders_registered: '100000 100000 1',
    traders_risk_order: '100000 100000 33334 1',
    traders_status: '100000 100000 33334 1 1',
    traders_updated: '100000 100000 1 1',
  },
  transfers: {
    sqlite_autoindex_transfers_1: '10000 10000 1',
    transfers_account: '10000 10000 1',
    transfers_amount: '10000 10000 3334 1 1',
    transfers_author: '10000 10000 500 1',
    transfers_contradicted: '100 100 1',
    transfers_created: '10000 10000 1 1',
    transfers_currency: '10000 10000 3334 1 1',
    transfers_from: '10000 10000 1',
    transfers_platform_reference: '10000 10000 1',
    transfers_reference: '10000 10000 1',
    transfers_state: '10000 10000 2500 1 1',
    transfers_to: '10000 10000 2',
    transfers_to_trader: '1000 1000 2',
    transfers_trader: '10000 10000 1 1 1',
    transfers_updated: '10000 10000 1 1',
  },
  wallets: {
    sqlite_autoindex_wallets_1: '148723 148723 1',
    wallets_available: '148723 148723 49575 3 1',
    wallets_created: '148723 148723 1 1',
    wallets_currency: '148723 148723 49575 1 1',
    wallets_totals: '148723 148723 2 1 1 1',
    wallets_trader_currency: '148723 148723 2 1',
    wallets_updated: '148723 148723 1 1',
  },
  withdrawals: {
    sqlite_autoindex_withdrawals_1: '250000 250000 1',
    withdrawals_amount: '250000 250000 83334 2 1',
    withdrawals_approved: '638 1',
    withdrawals_created: '250000 250000 1 1',
    withdrawals_currency: '250000 250000 83334 1 1',
    withdrawals_destination: '250000 250000 4',
    withdrawals_paid_order: '250000 250000 2 1',
    withdrawals_paid: '223251 223251 1 1 1',
    withdrawals_payment: '223251 223251 1',
    withdrawals_reference: '223251 223251 1',
    withdrawals_requested_by: '250000 250000 12500 1',
    withdrawals_requester: '250000 250000 12500',
    withdrawals_status: '250000 250000 50000 1 1',
    withdrawals_status_currency: '250000 250000 50000 16667 1 1',
    withdrawals_trader: '250000 250000 4 1 1',
    withdrawals_updated: '250000 250000 1 1',
    withdrawals_wallet: '250000 250000 3',
  },
}

type Line = { tbl: string; idx: string; stat: string }

const LINES: readonly Line[] = Object.entries(STATISTICS).flatMap(([tbl, indices]) =>
  Object.entries(indices).map(([idx, stat]) => ({ tbl, idx, stat })),
)

const hasTable = (connection: Connection, name: string): boolean =>
  connection.get('SELECT 1 FROM sqlite_schema WHERE name = ?', [name]) !== undefined

const isWritten = (connection: Connection): boolean => {
  if (!hasTable(connection, 'sqlite_stat1')) return false
  const lines = connection.all<Line>('SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY rowid')
  return Bun.deepEquals(lines, [...LINES])
}

/** Writes the statistics into a database with other ones, or none, and reloads them on this connection. */
export function writeStatistics(connection: Connection): void {
  if (isWritten(connection)) return
  // makes the table if there is none yet
  connection.exec('ANALYZE sqlite_schema')
  connection.run('BEGIN IMMEDIATE')
  try {
    for (const name of ['sqlite_stat1', 'sqlite_stat4'])
      if (hasTable(connection, name)) connection.run(`DELETE FROM ${name}`)
    for (const { tbl, idx, stat } of LINES)
      connection.run('INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)', [tbl, idx, stat])
    connection.run('COMMIT')
  } catch (error) {
    connection.run('ROLLBACK')
    throw error
  }
  connection.exec('ANALYZE sqlite_schema')
}
