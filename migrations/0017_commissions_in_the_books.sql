-- What the firm owes its affiliates, and what a merge moves, are in the books. The list of accounts is a CHECK, so the
-- table is made anew with the same rows; its triggers are of the new table from the start.
CREATE TABLE ledger_entries_with_commissions (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  trader_id TEXT,
  wallet_id TEXT,
  account TEXT NOT NULL CHECK (account IN (
    'gateway_clearing', 'payout_clearing', 'platform_clearing', 'fx_clearing', 'adjustments', 'affiliate_commissions',
    'client_available', 'client_held')),
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN -9007199254740991 AND 9007199254740991 AND amount <> 0),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, transaction_id) REFERENCES ledger_transactions (tenant_id, id),
  FOREIGN KEY (tenant_id, wallet_id) REFERENCES wallets (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  CHECK ((wallet_id IS NOT NULL) = (account IN ('client_available', 'client_held')))
) STRICT;
INSERT INTO ledger_entries_with_commissions (tenant_id, id, transaction_id, trader_id, wallet_id, account, currency, amount, created_at)
  SELECT tenant_id, id, transaction_id, trader_id, wallet_id, account, currency, amount, created_at FROM ledger_entries
  ORDER BY rowid;
DROP TABLE ledger_entries;
ALTER TABLE ledger_entries_with_commissions RENAME TO ledger_entries;
CREATE INDEX ledger_entries_transaction ON ledger_entries (tenant_id, transaction_id);
CREATE INDEX ledger_entries_wallet ON ledger_entries (tenant_id, wallet_id, created_at DESC, id DESC);
CREATE INDEX ledger_entries_trader ON ledger_entries (tenant_id, trader_id);
CREATE INDEX ledger_entries_posted ON ledger_entries (tenant_id, created_at, id);
CREATE INDEX ledger_entries_account ON ledger_entries (tenant_id, account, created_at, id);
CREATE TRIGGER ledger_entries_fixed BEFORE UPDATE ON ledger_entries BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_entries_kept BEFORE DELETE ON ledger_entries BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
