import { type Answer, call } from '../../../api.ts'

export type SqlResult = Answer<'sandbox.query'>
export type SqlSchema = Answer<'sandbox.schema'>

export const fetchSchema = () => call('sandbox.schema')
export const runSql = (sql: string) => call('sandbox.query', { body: { sql } })

const HISTORY = 50

/** Reads a colleague's last queries from the audit log, each text once, newest first. */
export async function fetchHistory(userId: string): Promise<{ sql: string; at: string }[]> {
  const { data } = await call('audit.list', { query: { action: 'sandbox.query', actorId: userId, limit: HISTORY } })
  const known = new Map<string, string>()
  for (const { after, at } of data) {
    const sql = after && 'sql' in after ? after.sql : null
    if (typeof sql === 'string' && !known.has(sql)) known.set(sql, at)
  }
  return [...known].map(([sql, at]) => ({ sql, at }))
}
