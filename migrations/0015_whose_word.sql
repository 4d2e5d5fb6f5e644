-- Every report of a balance is somebody's word, also the same figure again: when it came, whose it is, whether it is the
-- platform's own. The time of the last report was kept beside that of the last change.
UPDATE accounts SET balance_at = reported_at WHERE reported_at > balance_at;
ALTER TABLE accounts DROP COLUMN reported_at;
ALTER TABLE accounts ADD COLUMN by_bridge INTEGER NOT NULL DEFAULT 0 CHECK (by_bridge IN (0, 1));
-- Whether the platform's own bridge acknowledged a transfer.
ALTER TABLE transfers ADD COLUMN by_bridge INTEGER NOT NULL DEFAULT 0 CHECK (by_bridge IN (0, 1));
-- When the platform's bridge said of a transfer the opposite of what a person had said for it.
ALTER TABLE transfers ADD COLUMN contradicted_at INTEGER;
-- A platform numbers its reports by itself, whatever numbers people use besides: the last sequence of its bridge.
ALTER TABLE position_streams ADD COLUMN bridge_sequence INTEGER;
ALTER TABLE account_streams ADD COLUMN bridge_sequence INTEGER;
ALTER TABLE account_streams DROP COLUMN reported_by;
-- Whom the link of a mail lets in: an address may be somebody else's too, and later another one.
ALTER TABLE mails ADD COLUMN link_user_id TEXT;
ALTER TABLE mails ADD COLUMN link_trader_id TEXT;
-- Whether somebody changed the address of a lead, not only entered it.
ALTER TABLE leads ADD COLUMN email_changed INTEGER NOT NULL DEFAULT 0 CHECK (email_changed IN (0, 1));
-- Lists by one account of the books, or of one gateway: a filter that few rows pass must not walk all of them.
CREATE INDEX ledger_entries_account ON ledger_entries (tenant_id, account, created_at, id);
CREATE INDEX deposits_gateway ON deposits (tenant_id, psp_connection_id, created_at, id) WHERE psp_connection_id IS NOT NULL;
CREATE INDEX transfers_contradicted ON transfers (tenant_id, contradicted_at) WHERE contradicted_at IS NOT NULL;
-- Up to now everybody's numbers were one row of them: a bridge goes on from there, so that no repeat of its is news.
UPDATE position_streams SET bridge_sequence = sequence;
UPDATE account_streams SET bridge_sequence = sequence;
