-- Who made a receiver, who changed it last, and everybody who did either since somebody else confirmed it. What was done
-- before stands in the audit, where a key is named by its own id.
ALTER TABLE webhook_subscriptions ADD COLUMN made_by TEXT;
ALTER TABLE webhook_subscriptions ADD COLUMN changed_by TEXT;
ALTER TABLE webhook_subscriptions ADD COLUMN hands TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(hands));

WITH acts AS (
  SELECT audit.tenant_id, audit.seq, audit.entity_id, audit.action,
    coalesce((SELECT user_id FROM api_keys WHERE api_keys.tenant_id = audit.tenant_id AND api_keys.id = audit.api_key_id),
      audit.actor_id) AS user_id
  FROM audit
  WHERE audit.action IN ('webhook.create', 'webhook.update', 'webhook.rotate_secret')
    AND audit.actor_kind IN ('user', 'api_key'))
UPDATE webhook_subscriptions SET
  made_by = (SELECT user_id FROM acts WHERE acts.tenant_id = webhook_subscriptions.tenant_id
    AND entity_id = webhook_subscriptions.id AND action = 'webhook.create' LIMIT 1),
  changed_by = (SELECT user_id FROM acts WHERE acts.tenant_id = webhook_subscriptions.tenant_id
    AND entity_id = webhook_subscriptions.id AND action <> 'webhook.create' ORDER BY seq DESC LIMIT 1),
  hands = (SELECT json_group_array(DISTINCT user_id) FROM acts
    WHERE acts.tenant_id = webhook_subscriptions.tenant_id AND entity_id = webhook_subscriptions.id
      AND user_id IS NOT NULL);
