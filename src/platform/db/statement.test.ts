import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { alias, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { bare, listed, statement } from './statement.ts'

const firms = sqliteTable('firms', { id: text(), ownName: text() })
const clients = sqliteTable('clients', { id: text(), firmId: text() })

describe('a statement', () => {
  test('a statement is text with unquoted SQLite names, and placeholders for parameters', () => {
    const other = alias(clients, 'other')
    const text = statement(
      sql`SELECT ${listed({ id: clients.id, firm: firms.ownName, n: sql`count(*)` })} FROM ${clients}
      JOIN ${firms} ON ${firms.id} = ${clients.firmId} JOIN ${clients} ${other} ON ${other.firmId} = ${firms.id}
      WHERE ${firms.id} = ?1 AND ${clients.id} > ?2`,
    )
    expect(text.replaceAll(/\s+/g, ' ')).toBe(
      'SELECT clients.id AS id, firms.own_name AS firm, count(*) AS n FROM clients ' +
        'JOIN firms ON firms.id = clients.firm_id JOIN clients other ON other.firm_id = firms.id ' +
        'WHERE firms.id = ?1 AND clients.id > ?2',
    )
    expect(statement(sql`UPDATE ${firms} SET ${bare(firms.ownName)} = ?2`)).toBe('UPDATE firms SET own_name = ?2')
  })

  test('a statement with a value is refused, since the value would be the same for every run', () => {
    expect(() => statement(sql`SELECT 1 FROM ${firms} WHERE ${firms.id} = ${'frm_1'}`)).toThrow('made once, at load')
  })

  test('a statement with an unknown column or alias does not compile', () => {
    const other = alias(clients, 'other')
    const wrong = [
      // @ts-expect-error it is `firmId`
      () => sql`SELECT 1 FROM ${firms} JOIN ${clients} ON ${clients.firm} = ${firms.id}`,
      // @ts-expect-error
      () => sql`SELECT 1 FROM ${clients} ${other} WHERE ${other.ownName} = ?1`,
      // @ts-expect-error
      () => listed({ name: firms.name }),
    ]
    expect(wrong).toHaveLength(3)
  })
})
