/** Words of SQL that are suggested while a query is typed. */
export const SQL_WORDS: readonly string[] = (
  'SELECT FROM WHERE GROUP BY ORDER HAVING LIMIT JOIN LEFT ON AND OR NOT IN IS NULL AS WITH DISTINCT CASE WHEN THEN ELSE ' +
  'END UNION ALL BETWEEN LIKE DESC ASC count sum avg min max round coalesce'
).split(' ')

/** Example queries. */
export const SQL_EXAMPLES = {
  methods: `SELECT firm_month(settled_at) AS month, method, currency,
  count(*) AS deposits, money(sum(settled_amount), currency) AS total
FROM deposits
WHERE settled_at IS NOT NULL
GROUP BY month, method, currency
ORDER BY month DESC, deposits DESC`,
  countries: `SELECT country, count(*) AS clients, sum(kyc_status = 'approved') AS verified
FROM traders
WHERE deleted_at IS NULL
GROUP BY country
ORDER BY clients DESC`,
  balances: `SELECT currency, count(*) AS wallets,
  money(sum(available), currency) AS available, money(sum(held), currency) AS held
FROM wallets
GROUP BY currency
ORDER BY wallets DESC`,
} as const
