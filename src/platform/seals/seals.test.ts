import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecretBox } from '../secrets.ts'
import { type Connection, openWriter } from '../sqlite.ts'
import { checkSeal } from './check-seal.ts'
import { keepSeal } from './keep-seal.ts'
import { strangersTo } from './schema-objects.ts'
import { sealAnew } from './seal.ts'

const SCHEMA = `CREATE TABLE table_seals (id INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT;
  CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, photo BLOB, paid INTEGER) STRICT;
  CREATE TABLE notes (person INTEGER REFERENCES people (id) ON DELETE CASCADE, body TEXT) STRICT;
  CREATE TRIGGER people_noted AFTER INSERT ON people BEGIN INSERT INTO notes VALUES (NEW.id, 'came'); END;`
const secrets = createSecretBox(new Uint8Array(32).fill(9))
let root: string
let db: Connection
let renew: () => void
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-seals-'))
  db = openWriter(join(root, 'a.db'))
  db.exec(SCHEMA)
  sealAnew(db, secrets)
  renew = keepSeal(db, secrets)
})
afterEach(() => {
  db.close()
  rmSync(root, { recursive: true, force: true })
})

const write = (...statements: string[]): void => {
  db.exec('BEGIN IMMEDIATE')
  for (const text of statements) db.exec(text)
  renew()
  db.exec('COMMIT')
}
const faults = (): string[] => checkSeal(db, secrets).faults
const changed = (table: string): string[] => [`rows of ${table} are not those that this program wrote`]

describe('the seal while the program writes', () => {
  test('the seal is right after rows were inserted, updated and deleted, also by a trigger or a cascade', () => {
    write(`INSERT INTO people VALUES (1, 'Ann', x'00ff', 9007199254740993), (2, NULL, NULL, NULL)`)
    expect(faults()).toEqual([])
    write(`UPDATE people SET name = 'Bo' || char(0) || 'b', paid = -1`, `UPDATE notes SET body = 'x' WHERE person = 2`)
    expect(faults()).toEqual([])
    write('DELETE FROM people WHERE id = 1', 'DELETE FROM notes')
    expect(faults()).toEqual([])
  })

  test('the seal is right after a part of a transaction, or all of it, was rolled back', () => {
    write(
      `INSERT INTO people VALUES (1, 'Ann', NULL, 1)`,
      'SAVEPOINT w',
      `INSERT INTO people VALUES (2, 'Bo', NULL, 1)`,
      'ROLLBACK TO w',
      'RELEASE w',
    )
    expect(faults()).toEqual([])
    db.exec('BEGIN IMMEDIATE')
    db.exec('DELETE FROM people')
    renew()
    db.exec('ROLLBACK')
    expect(faults()).toEqual([])
    write(`INSERT INTO people VALUES (3, 'Cy', NULL, 1)`)
    expect(faults()).toEqual([])
  })

  test('the seal is right after two connections wrote in turn', () => {
    const other = openWriter(join(root, 'a.db'))
    const renewOther = keepSeal(other, secrets)
    for (let nth = 1; nth < 6; nth += 1) {
      write(`INSERT INTO people VALUES (${nth}, 'Ann', NULL, 1)`)
      other.exec('BEGIN IMMEDIATE')
      other.exec(`UPDATE people SET paid = ${nth}`)
      renewOther()
      other.exec('COMMIT')
    }
    other.close()
    expect(faults()).toEqual([])
  })
})

describe('the seal after another program wrote', () => {
  const byHand = (text: string): void => {
    const other = openWriter(join(root, 'a.db'))
    other.exec('PRAGMA foreign_keys = OFF')
    other.exec(text)
    other.close()
  }
  beforeEach(() => write(`INSERT INTO people VALUES (1, 'Ann', x'00', 1), (2, 'Bo' || char(0) || 'b', NULL, 2)`))

  test.each([
    `UPDATE people SET name = '1' WHERE id = 1`,
    `UPDATE people SET name = 'Bo' WHERE id = 2`,
    `UPDATE people SET name = 'Bo' || char(0) || 'c' WHERE id = 2`,
    `UPDATE people SET name = NULL WHERE id = 1`,
    `UPDATE people SET photo = NULL WHERE id = 1`,
    `UPDATE people SET photo = x'' WHERE id = 2`,
    `UPDATE people SET photo = 'NULL' WHERE id = 2`.replace(`'NULL'`, `CAST('NULL' AS BLOB)`),
    'UPDATE people SET paid = 3 - paid',
    'UPDATE people SET id = 3 WHERE id = 2',
  ])('a row that another program changed is found: %s', (text) => {
    byHand(text)
    expect(faults()).toEqual(changed('people'))
  })

  test('a row that another program inserted is found, even if it equals a row of the table', () => {
    byHand(`INSERT INTO notes VALUES (1, 'came')`)
    expect(faults()).toEqual(changed('notes'))
  })

  test('a row that another program changed is still found after this program wrote it too', () => {
    byHand('UPDATE people SET paid = 100 WHERE id = 1')
    write('UPDATE people SET paid = 5 WHERE id = 1')
    expect(faults()).toEqual(changed('people'))
  })

  test('a seal that is missing, out of date or of another key is reported, and no write replaces a missing one', () => {
    const before = db.get<{ sealed: Uint8Array }>('SELECT sealed FROM table_seals')?.sealed ?? new Uint8Array()
    write('UPDATE people SET paid = 5')
    db.run('UPDATE table_seals SET sealed = ?', [before])
    expect(faults()).toEqual(changed('people'))
    const other = createSecretBox(new Uint8Array(32))
    expect(checkSeal(db, other).faults).toEqual(['the seal over its rows is not of this installation'])
    db.exec('DELETE FROM table_seals')
    expect(faults()).toEqual(['nothing proves that its rows are those of this installation'])
    expect(() => write('UPDATE people SET paid = 6')).toThrow('The seal over the rows of the database is missing')
    db.exec('ROLLBACK')
    expect(() => keepSeal(db, secrets)).toThrow('Restore a copy')
  })
})

test('the check reports a column whose line became part of the comment above it', () => {
  const made = 'CREATE TABLE bills (id INTEGER,\n-- in cents\namount INTEGER,\ncurrency TEXT)'
  db.exec(made.replace('cents\n', 'cents '))
  expect(strangersTo(db, (scratch) => scratch.exec(`${SCHEMA} ${made}`))).toEqual([
    'the table bills is not as this program makes it',
  ])
})

test('objects of a schema that the program did not make are reported by name, and missing objects too', () => {
  const make = (scratch: Connection): void => scratch.exec(SCHEMA)
  expect(strangersTo(db, make)).toEqual([])
  db.exec(`DROP TRIGGER people_noted; CREATE VIEW v AS SELECT 1; CREATE INDEX i ON people (name); CREATE TABLE t (a);
    ALTER TABLE notes ADD COLUMN more TEXT; CREATE TRIGGER g AFTER DELETE ON people BEGIN SELECT 1; END`)
  expect(strangersTo(db, make)).toEqual([
    'the index i on people is not as this program makes it',
    'the table notes is not as this program makes it',
    'the table t is not as this program makes it',
    'the trigger g on people is not as this program makes it',
    'the view v is not as this program makes it',
    'people_noted is not in its schema',
  ])
})
