-- What a client wrote within a day is added up before each message: read from the index, however old the client is.
CREATE INDEX ticket_messages_words ON ticket_messages (tenant_id, trader_id, created_at);
