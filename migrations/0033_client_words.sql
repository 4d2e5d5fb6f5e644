-- What a client wrote within a day is added up before each message: read from the index, however old the client is.
DROP INDEX ticket_messages_trader;
CREATE INDEX ticket_messages_trader ON ticket_messages (tenant_id, trader_id, created_at);
