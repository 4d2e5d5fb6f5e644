-- Of a card nothing is kept but its scheme and last four digits; its fingerprint says the same in plain letters, since
-- the digest of a card number is worked out in a second. A second card of one client that looks the same then keeps a
-- fingerprint of its own.
CREATE TEMP TABLE short_cards AS
WITH RECURSIVE
  spelled (tenant_id, id, rest, digits) AS (
    SELECT tenant_id, id, reference, '' FROM payout_destinations
    WHERE kind = 'card' AND fingerprint <> 'erased:' || id
    UNION ALL
    SELECT tenant_id, id, substr(rest, 2), digits || iif(substr(rest, 1, 1) GLOB '[0-9]', substr(rest, 1, 1), '')
    FROM spelled WHERE rest <> ''),
  shortened AS (
    SELECT cards.tenant_id, cards.id, cards.trader_id, cards.holder, iif(length(digits) < 12, cards.reference,
      CASE
        WHEN digits GLOB '4*' THEN 'Visa '
        WHEN digits GLOB '5[1-5]*' OR substr(digits, 1, 4) BETWEEN '2221' AND '2720' THEN 'Mastercard '
        WHEN digits GLOB '3[47]*' THEN 'Amex '
        WHEN digits GLOB '3[0689]*' THEN 'Diners '
        WHEN digits GLOB '35*' THEN 'JCB '
        WHEN digits GLOB '6011*' OR digits GLOB '64[4-9]*' OR digits GLOB '65*' THEN 'Discover '
        WHEN digits GLOB '62*' OR digits GLOB '81*' THEN 'UnionPay '
        WHEN digits GLOB '220[0-4]*' THEN 'Mir '
        WHEN digits GLOB '5*' OR digits GLOB '6*' THEN 'Maestro '
        ELSE 'Card '
      END || substr(digits, -4)) AS reference
    FROM spelled JOIN payout_destinations AS cards ON cards.tenant_id = spelled.tenant_id AND cards.id = spelled.id
    WHERE rest = '')
SELECT tenant_id, id, reference, row_number() OVER (
  PARTITION BY tenant_id, trader_id, upper(reference), coalesce(holder, '') ORDER BY id) AS place FROM shortened;
UPDATE payout_destinations SET reference = short_cards.reference,
  fingerprint = 'card ' || iif(place = 1, upper(short_cards.reference), payout_destinations.id)
FROM short_cards
WHERE short_cards.tenant_id = payout_destinations.tenant_id AND short_cards.id = payout_destinations.id;
DROP TABLE short_cards;

-- How many clients somebody read on a day, until its line stands in the audit.
CREATE TABLE people_reads (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  day INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  api_key_id TEXT,
  clients INTEGER NOT NULL CHECK (clients BETWEEN 0 AND 10000),
  mailed_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX people_reads_once ON people_reads (tenant_id, user_id, day, coalesce(api_key_id, ''));
CREATE INDEX people_reads_day ON people_reads (day);
