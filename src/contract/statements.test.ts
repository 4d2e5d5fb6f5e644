import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { statements } from '../platform/db/statement.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'

let app: TestApp
let tenantTables: ReadonlySet<string>
/** Loads the commands, whose statements must be known whichever tests ran before. */
const loadCommands = async (): Promise<void> => {
  const root = join(import.meta.dir, '../commands')
  for (const path of new Bun.Glob('**/*.ts').scanSync(root))
    if (!/\.test\.ts$|^run-(task|terminals)/.test(path)) await import(join(root, path))
}
beforeAll(async () => {
  await loadCommands()
  app = createTestApp()
  tenantTables = new Set(
    app.platform.connection
      .all<{ name: string }>(
        `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'tenant_id' WHERE m.type = 'table'`,
      )
      .map(({ name }) => name),
  )
})
afterAll(() => app.close())

const NO_ALIAS = new Set(
  'where set on join left cross inner order group limit union using as and or not indexed returning values select'.split(
    ' ',
  ),
)

const MENTION = /\b(?:FROM|JOIN|UPDATE(?: OR \w+)?)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?/gi

/**
 * Returns the tables of tenants that a statement reads without a limit to one tenant: it has fewer conditions on the
 * tenant of a table than mentions of the table, or compares tables only with one another.
 */
function unbound(text: string): string[] {
  const mentions = new Map<string, number>()
  for (const [, table = '', alias = ''] of text.matchAll(MENTION)) {
    if (!tenantTables.has(table)) continue
    const name = alias === '' || NO_ALIAS.has(alias.toLowerCase()) ? table : alias
    mentions.set(name, (mentions.get(name) ?? 0) + 1)
  }
  const held = new Set<string>()
  const conditions: string[] = []
  for (const [, name = ''] of text.matchAll(/\b(?:(\w+)\.)?tenant_id\s*=\s*\?/g)) {
    held.add(name)
    conditions.push(name)
  }
  // this table has the one requested tenant, and is joined in front of the found rows
  for (const [, name = ''] of text.matchAll(/\(SELECT \? AS tenant_id\) AS (\w+)/g)) held.add(name)
  const pairs = [...text.matchAll(/\b(\w+)\.tenant_id\s*=\s*(\w+)\.tenant_id\b/g)].map(([, a = '', b = '']) => [a, b])
  conditions.push(...pairs.flat())
  for (let more = true; more; ) {
    const before = held.size
    for (const pair of pairs) if (pair.some((name) => held.has(name))) for (const name of pair) held.add(name)
    more = held.size > before
  }
  // a subquery over one table writes its column without the table
  const bare = conditions.includes('')
  return [...mentions].flatMap(([name, count]) => {
    const own = conditions.filter((condition) => condition === name).length
    return (held.has(name) && own >= count) || (bare && own + 1 >= count) ? [] : [name]
  })
}
/** Lists the statements over all firms that do not select the firm of a row, by their beginning, with the reason. */
const OVER_ALL: Readonly<Record<string, string>> = {
  'CASE WHEN terminal_logins.state': 'a filter over rows of the list of logins, which names their tenant',
  '(SELECT accounts.id FROM accounts, terminal_connections': 'over one row of a login, which names its tenant',
  'UPDATE terminal_instructions SET main_password': 'what has lapsed is forgotten, whoever’s it is',
  'DELETE FROM ad_notifications': 'what is older than it is kept goes, whoever’s it is',
  'DELETE FROM events': 'what is older than it is kept goes, whoever’s it is',
  'DELETE FROM mails': 'what is older than it is kept goes, whoever’s it is',
  'DELETE FROM one_time_links': 'what has expired goes, whoever’s it is',
  'DELETE FROM sessions': 'what has expired goes, whoever’s it is',
  'DELETE FROM webhook_deliveries': 'what is older than it is kept goes, whoever’s it is',
  'SELECT 1 FROM mails': 'whether any firm has a mail to send',
  'SELECT 1 FROM webhook_subscriptions': 'whether anybody at all listens',
  'SELECT DISTINCT users.email AS email': 'the administrators of the box, whom a standby mails',
  'SELECT DISTINCT account_acts.tenant_id AS id': 'the firms that a job looks at one by one',
  'SELECT coalesce(max(events.position), 0)': 'where the deliveries of all firms begin',
  'SELECT count(*) AS "waiting", min(rowid) AS "oldest" FROM webhook_deliveries': 'how many wait, for whoever runs it',
  'SELECT count(*) AS "open" FROM terminal_findings': 'how many are open, for whoever runs it',
  'SELECT terminal_connections.name AS name': 'how those of all firms fare, for whoever runs it',
  'SELECT count(*) AS n FROM audit': 'how many writes a rollback would lose, of all firms',
  'SELECT count(*) AS n FROM traders': 'how many people the purge keeps, for the log',
  'SELECT events.position AS position FROM events': 'where the deliveries of all firms begin',
  'SELECT min(webhook_subscriptions.created_at)': 'where the deliveries of all firms begin',
  'SELECT webhook_deliveries.created_at AS "createdAt"': 'how long the oldest waits, for whoever runs it',
  'SELECT users.id AS id, users.roles AS roles FROM users WHERE users.status': 'who may speak for the pool of rates',
  'UPDATE mails SET': 'takes the mails that are due of all firms',
}
/** Matches a statement over all firms that selects the firm of each row, so that its caller continues in that firm. */
const SAYS_WHOSE = /^SELECT\b(?:(?!\bFROM\b)[\s\S])*\btenant_id AS "?tenantId"?\b/

describe('every statement over columns', () => {
  const text = (statement: string) => statement.replace(/\s+/g, ' ').trim()

  test('every statement is limited to one tenant in each table, selects the firm of each row, or is listed', () => {
    expect(statements().size).toBeGreaterThan(150)
    const loose = [...statements()].filter((one) => unbound(one).length > 0 && !SAYS_WHOSE.test(one)).map(text)
    const reasons = Object.keys(OVER_ALL)
    expect(loose.filter((one) => !reasons.some((start) => one.startsWith(start)))).toEqual([])
    // an entry that is no longer needed would hide the next statement
    expect(reasons.filter((start) => !loose.some((one) => one.startsWith(start)))).toEqual([])
  })

  test.each([
    ['SELECT 1 FROM traders WHERE traders.id = ?2', ['traders']],
    ['SELECT 1 FROM traders t JOIN wallets w ON w.trader_id = t.id WHERE t.tenant_id = ?1', ['w']],
    ['SELECT 1 FROM traders t JOIN wallets w ON w.tenant_id = t.tenant_id WHERE t.id = ?1', ['t', 'w']],
    ['SELECT 1 FROM deposits WHERE deposits.tenant_id = ?1 UNION ALL SELECT 1 FROM deposits', ['deposits']],
    ['SELECT 1 FROM traders WHERE traders.tenant_id = ?1 AND EXISTS (SELECT 1 FROM wallets)', ['wallets']],
    ['SELECT 1 FROM traders t JOIN wallets w ON w.tenant_id = t.tenant_id WHERE t.tenant_id = ?1', []],
  ])('the statement “%s” is found to have no limit to one tenant in %p', (statement, names) =>
    expect(unbound(statement)).toEqual(names),
  )
})
