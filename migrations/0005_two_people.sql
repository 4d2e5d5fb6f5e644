-- What a firm has set for itself: time zone, currency, conversions, platforms, security. One JSON object, checked in code.
ALTER TABLE tenants ADD COLUMN settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings));

-- What somebody did to a colleague's account that lets them act as its holder: from then on both are one person until a third one vouches.
-- `by_user_id` may be of another firm (who founds a firm), so it refers to nothing.
CREATE TABLE account_acts (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  by_user_id TEXT NOT NULL,
  act TEXT NOT NULL CHECK (act IN ('invited', 'password', 'link', 'second_factor', 'role', 'stepped_down')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT;
CREATE INDEX account_acts_user ON account_acts (tenant_id, user_id, created_at);

-- Who said that an account is its holder's alone; `by_user_id` is null where 72 hours passed in a firm without a third person.
CREATE TABLE account_vouches (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  by_user_id TEXT,
  note TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, by_user_id) REFERENCES users (tenant_id, id),
  CHECK (by_user_id IS NULL OR by_user_id <> user_id)
) STRICT;
CREATE INDEX account_vouches_user ON account_vouches (tenant_id, user_id, created_at);
CREATE INDEX account_vouches_author ON account_vouches (tenant_id, by_user_id);

-- What members of staff did for one client that counts against their votes on that client's money for 30 days. Never changed, so no version.
CREATE TABLE client_acts (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  act TEXT NOT NULL CHECK (act IN ('read_link', 'staff_address', 'changed_address', 'sent_own_link', 'acted_as',
    'deposit', 'transfer', 'refused_transfer', 'credit', 'rate', 'gateway_secret')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT;
CREATE INDEX client_acts_trader ON client_acts (tenant_id, trader_id, created_at);
CREATE INDEX client_acts_user ON client_acts (tenant_id, user_id, created_at);

-- A password that a colleague chose is changed at the first use; a session that gave it again counts as fresh.
ALTER TABLE credentials ADD COLUMN must_change INTEGER NOT NULL DEFAULT 0 CHECK (must_change IN (0, 1));
ALTER TABLE credentials ADD COLUMN totp_enabled_at INTEGER;
ALTER TABLE sessions ADD COLUMN proven_at INTEGER;
UPDATE credentials SET totp_enabled_at = updated_at WHERE totp_enabled = 1;

-- A mail that carries a link makes its reader the recipient; a notice does not.
ALTER TABLE mails ADD COLUMN link INTEGER NOT NULL DEFAULT 1 CHECK (link IN (0, 1));

-- Who chose the address that links go to; null for the client themselves and for machines of the client's.
ALTER TABLE traders ADD COLUMN email_by TEXT;
ALTER TABLE leads ADD COLUMN email_by TEXT;
-- What a manager suspended or closed only a manager reopens.
ALTER TABLE traders ADD COLUMN held_by_manager INTEGER NOT NULL DEFAULT 0 CHECK (held_by_manager IN (0, 1));

-- Money in by hand: who said what. `reference_key` is the payment's reference as it is compared.
ALTER TABLE deposits ADD COLUMN announced_by TEXT;
ALTER TABLE deposits ADD COLUMN by_trader INTEGER NOT NULL DEFAULT 0 CHECK (by_trader IN (0, 1));
ALTER TABLE deposits ADD COLUMN settled_by TEXT;
ALTER TABLE deposits ADD COLUMN first_word_by TEXT;
ALTER TABLE deposits ADD COLUMN first_word_at INTEGER;
ALTER TABLE deposits ADD COLUMN first_word_amount INTEGER CHECK (first_word_amount BETWEEN 1 AND 9007199254740991);
ALTER TABLE deposits ADD COLUMN reference_key TEXT;
ALTER TABLE deposits ADD COLUMN repeat_of TEXT;
UPDATE deposits SET reference_key = lower(trim(provider_reference)) WHERE provider_reference IS NOT NULL;
CREATE INDEX deposits_reference_key ON deposits (tenant_id, method, reference_key) WHERE reference_key IS NOT NULL;
CREATE INDEX deposits_settled_by ON deposits (tenant_id, settled_by, settled_at) WHERE settled_by IS NOT NULL;
CREATE INDEX deposits_settled ON deposits (tenant_id, settled_at) WHERE settled_at IS NOT NULL;
-- Who announced and settled what is there already is in the audit.
UPDATE deposits SET
  announced_by = (SELECT a.actor_id FROM audit a WHERE a.tenant_id = deposits.tenant_id AND a.entity = 'deposit'
    AND a.entity_id = deposits.id AND a.action = 'deposit.create' AND a.actor_kind IN ('user', 'api_key')),
  by_trader = EXISTS (SELECT 1 FROM audit a WHERE a.tenant_id = deposits.tenant_id AND a.entity = 'deposit'
    AND a.entity_id = deposits.id AND a.action = 'deposit.create' AND a.actor_kind = 'trader'),
  settled_by = (SELECT a.actor_id FROM audit a WHERE a.tenant_id = deposits.tenant_id AND a.entity = 'deposit'
    AND a.entity_id = deposits.id AND a.action IN ('deposit.settle', 'deposit.partial_settle') AND a.actor_kind IN ('user', 'api_key') LIMIT 1);

-- An approval that is not paid within seven days goes back; from then on nobody knows whether the money left.
ALTER TABLE withdrawals ADD COLUMN lapsed_at INTEGER;
CREATE INDEX withdrawals_approved ON withdrawals (approved_at) WHERE status = 'approved';
CREATE INDEX withdrawals_requested_by ON withdrawals (tenant_id, requested_by, created_at);

-- A transfer to or from a trading account is an instruction that the platform books or refuses.
ALTER TABLE transfers ADD COLUMN state TEXT NOT NULL DEFAULT 'booked' CHECK (state IN ('sent', 'booked', 'refused'));
ALTER TABLE transfers ADD COLUMN created_by TEXT;
ALTER TABLE transfers ADD COLUMN acknowledged_by TEXT;
ALTER TABLE transfers ADD COLUMN acknowledged_at INTEGER;
ALTER TABLE transfers ADD COLUMN platform_reference TEXT;
ALTER TABLE transfers ADD COLUMN refusal_reason TEXT;
ALTER TABLE transfers ADD COLUMN to_trader_id TEXT;
CREATE INDEX transfers_author ON transfers (tenant_id, created_by, created_at) WHERE created_by IS NOT NULL;
CREATE INDEX transfers_state ON transfers (tenant_id, state, created_at DESC, id DESC);

-- Who entered the secret that a gateway's word is believed by, and what such a word could not do to our books.
ALTER TABLE psp_connections ADD COLUMN secret_by TEXT;
CREATE TABLE psp_exceptions (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  deposit_id TEXT,
  trader_id TEXT,
  reference TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('success', 'failed')),
  amount TEXT,
  currency TEXT,
  reason TEXT NOT NULL CHECK (reason IN ('amount', 'currency', 'after_partial', 'contradiction', 'unannounced', 'reference_used')),
  repeats INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
  closed_by TEXT,
  closed_at INTEGER,
  close_reason TEXT,
  booked_by_deposit_id TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES psp_connections (tenant_id, id),
  FOREIGN KEY (tenant_id, deposit_id) REFERENCES deposits (tenant_id, id),
  FOREIGN KEY (tenant_id, booked_by_deposit_id) REFERENCES deposits (tenant_id, id)
) STRICT;
CREATE INDEX psp_exceptions_state ON psp_exceptions (tenant_id, state, created_at DESC, id DESC);
CREATE INDEX psp_exceptions_created ON psp_exceptions (tenant_id, created_at DESC, id DESC);
CREATE INDEX psp_exceptions_connection ON psp_exceptions (tenant_id, connection_id, reference);
CREATE INDEX psp_exceptions_deposit ON psp_exceptions (tenant_id, deposit_id);
CREATE INDEX psp_exceptions_booked ON psp_exceptions (tenant_id, booked_by_deposit_id);

-- Accounts that a colleague could enter in the last seven days count as not yet their holder's alone; older ones are.
INSERT INTO account_acts (tenant_id, id, user_id, by_user_id, act, created_at)
  SELECT a.tenant_id, 'aac_' || substr(a.id, 5), a.entity_id, a.actor_id,
    CASE a.action WHEN 'user.set_roles' THEN 'role' WHEN 'user.reset_two_factor' THEN 'second_factor' ELSE 'invited' END, a.at
  FROM audit a JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.entity_id
  WHERE a.action IN ('user.invite', 'user.set_roles', 'user.reset_two_factor') AND a.entity = 'user' AND a.actor_id IS NOT NULL
    AND a.actor_id <> a.entity_id AND a.actor_kind IN ('user', 'api_key') AND a.at > (unixepoch() - 7 * 86400) * 1000;
INSERT INTO account_acts (tenant_id, id, user_id, by_user_id, act, created_at)
  SELECT a.tenant_id, 'aac_' || substr(a.id, 5), u.id, a.actor_id, 'link', a.at
  FROM audit a JOIN audit_data d ON d.tenant_id = a.tenant_id AND d.seq = a.seq
    JOIN users u ON u.tenant_id = a.tenant_id AND u.email = json_extract(d.after, '$.recipient') AND u.deleted_at IS NULL
  WHERE a.action = 'mail.read' AND a.actor_id IS NOT NULL AND a.actor_id <> u.id AND a.at > (unixepoch() - 7 * 86400) * 1000;
