-- When somebody must act on a ticket, for the order of the inbox: the first reply until there is one, then the resolution. A ticket whose clocks
-- stand, or that is done, comes last. The same rule as nextDue() in sla.ts.
ALTER TABLE tickets ADD COLUMN due_order INTEGER GENERATED ALWAYS AS (
  CASE WHEN status = 'open'
    THEN coalesce(CASE WHEN first_replied_at IS NULL THEN first_reply_due_at END, resolution_due_at, 9007199254740991)
    ELSE 9007199254740991 END
) VIRTUAL;

CREATE INDEX tickets_due ON tickets (tenant_id, due_order, id);
CREATE INDEX tickets_status_due ON tickets (tenant_id, status, due_order, id);
-- What the watch over the deadlines looks at, of all firms.
CREATE INDEX tickets_watched ON tickets (due_order, tenant_id, id) WHERE status = 'open' AND breached_at IS NULL;
DROP INDEX tickets_reply_due;
DROP INDEX tickets_resolution_due;

CREATE INDEX accounts_currency ON accounts (tenant_id, currency, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX accounts_platform ON accounts (tenant_id, platform, created_at DESC, id DESC) WHERE deleted_at IS NULL;
-- The two together: a firm has three platforms and three currencies, and a pair that nobody has would be searched for among all of one.
CREATE INDEX accounts_platform_currency ON accounts (tenant_id, platform, currency, created_at DESC, id DESC) WHERE deleted_at IS NULL;
