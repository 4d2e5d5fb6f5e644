-- Commission by the day a position was closed: reports read one day after the other.
CREATE INDEX positions_closed ON positions (tenant_id, closed_at) WHERE closed_at IS NOT NULL;
