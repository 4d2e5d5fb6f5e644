// An account whose server nobody has named may be on any, so that none of the logins there is surely the client’s; a
// login that is linked to an account of somebody else by now is not either.
const PLACES = `accounts AS own JOIN terminal_connections AS place ON place.tenant_id = ?1
    AND place.platform = own.platform AND place.server = own.server
  WHERE own.tenant_id = ?1 AND own.trader_id = ?2 AND own.account_number IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM accounts AS other WHERE other.tenant_id = ?1 AND other.platform = own.platform
      AND other.account_number = own.account_number AND other.server IN ('', own.server)
      AND other.trader_id <> own.trader_id AND other.deleted_at IS NULL)`

/** Finds the logins of a client (?2) of a firm (?1). */
export const LOGINS_OF_CLIENT = `SELECT place.id AS "connectionId", own.account_number AS login FROM ${PLACES}`

/** The condition for rows that are about one of these logins. */
export const OF_CLIENT = `(connection_id, login) IN (SELECT place.id, own.account_number FROM ${PLACES})`
