import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { BUNDLE_PARTS, buildTail, NOT_IN_BUNDLE } from '../modules/overview/privacy/privacy.plan.ts'
import { getFates } from '../platform/db/erasure.ts'
import { getTableMeta, tablesAboutPeople } from '../platform/db/tenant-table.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'
import { PRIVACY_PLAN, sectionAt, tableAt } from './places.ts'

let app: TestApp
beforeAll(() => {
  // creating an application imports every table
  app = createTestApp()
})
afterAll(() => app.close())

/** These columns have nothing about the person. */
const NEVER = ['tenantId', 'traderId', 'version', 'updatedAt', 'deletedAt']

describe('what a person is told of themselves', () => {
  test('the privacy bundle has every table about people, or a reason for its absence', () => {
    const told = new Set(BUNDLE_PARTS.map(({ table }) => getTableMeta(table).name))
    const about = tablesAboutPeople().map(({ name }) => name)
    const forgotten = about.filter((name) => !told.has(name) && !(name in NOT_IN_BUNDLE))
    expect(forgotten.map((name) => `${tableAt(name)} ${name}: add it to ${PRIVACY_PLAN}`)).toEqual([])
    const needless = Object.keys(NOT_IN_BUNDLE).filter((name) => told.has(name) || !about.includes(name))
    expect(needless.map((name) => `${PRIVACY_PLAN}: take ${name} out of NOT_IN_BUNDLE`)).toEqual([])
  })

  test('every column of a table about people is classified', () => {
    const faults = BUNDLE_PARTS.flatMap(({ table }) => {
      const { name, columns } = getTableMeta(table)
      return columns.flatMap(({ key, said }) =>
        said.fate ? [] : [`${tableAt(name)}: say by \`column\` whether a person is told of ${name}.${key}`],
      )
    })
    expect(faults).toEqual([])
  })

  test('every section of the privacy bundle is read by an index, in its order', () => {
    const slow = BUNDLE_PARTS.slice(1).flatMap((told) => {
      const { name } = getTableMeta(told.table)
      const sql = `EXPLAIN QUERY PLAN SELECT * FROM ${name} WHERE ${name}.tenant_id = ?${buildTail(told)}`
      const plan = app.platform.connection
        .all<{ detail: string }>(sql, ['t', 'trd', told.walk === 'written' ? 't' : 1, 'x', 200])
        .map(({ detail }) => detail)
        .join('; ')
      return plan.includes('trader_id=?') && (told.walk === 'few' || !plan.includes('TEMP B-TREE'))
        ? []
        : [`${name}: ${plan}`]
    })
    expect(slow).toEqual([])
  })

  test('the privacy bundle has no secret, and every column that identifies the person', () => {
    const faults: string[] = []
    for (const { section, table, keys } of BUNDLE_PARTS) {
      const at = sectionAt(section)
      const { name, secret = [], person, byKey } = getTableMeta(table)
      for (const key of keys) {
        if (!byKey.has(key)) faults.push(`${at}: ${name}.${key} is no column`)
        if (NEVER.includes(key)) faults.push(`${at}: ${name}.${key} is of no interest`)
        // the audit leaves out the destination of money, but it is the person's own data
        if (secret.includes(key) && key !== 'reference') faults.push(`${at}: ${name}.${key} is secret`)
      }
      for (const [key, fate] of Object.entries(person ? getFates(person) : {}))
        if (fate.goes === 'personal' && !fate.ours && !keys.includes(key))
          faults.push(`${at}: ${name}.${key} is personal, so tell it`)
    }
    expect(faults).toEqual([])
  })
})
