import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet'
import { makeNight } from '../modules/overview/parquet/make-night.ts'
import { collectParts } from '../modules/overview/parquet/parquet.jobs.ts'
import { getFates } from '../platform/db/erasure.ts'
import { tablesAboutPeople } from '../platform/db/tenant-table.ts'
import { furnished } from './seeded-app.ts'

/** Words of a fixed list that a client's own record forgets, and that other tables have too. */
const WORDS: ReadonlySet<string> = new Set(['traders.status'])
/** Shorter texts, such as countries and languages, are in ids and words by chance. */
const SHORTEST = 5

let world: Awaited<ReturnType<typeof furnished>>
let root: string
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-analysis-'))
  world = await furnished()
  const { make, client } = world.place
  await make.lead()
  await make.ticket(client)
})
afterAll(async () => {
  await world.close()
  rmSync(root, { recursive: true })
})

/** Returns the texts in a stored value, also those within JSON. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(listTexts)
  if (typeof value !== 'string') return []
  return /^[[{]/.test(value) ? listTexts(JSON.parse(value)) : [value]
}

/** Returns the columns that tell of a person, as tables declare them, and those with names of colleagues. */
function listPersonalColumns(): (readonly [table: string, column: string])[] {
  const declared = tablesAboutPeople().flatMap(({ name, columns, person }) => {
    const fates = getFates(person)
    return columns.flatMap(({ key, sql }) => ((fates[key]?.goes ?? null) === null ? [] : [[name, sql] as const]))
  })
  return [...declared, ['users', 'email'], ['users', 'display_name'], ['user_names', 'name']]
}

/** Returns each text of these columns in the database, with the name of its column. */
function listPersonalTexts(): [column: string, text: string][] {
  const { reader } = world.app.platform
  return listPersonalColumns().flatMap(([table, sql]) => {
    if (WORDS.has(`${table}.${sql}`)) return []
    const rows = reader.all<{ value: unknown }>(`SELECT DISTINCT ${sql} AS value FROM ${table}`)
    return rows
      .flatMap(({ value }) => listTexts(value))
      .filter((text) => text.length >= SHORTEST)
      .map((text): [string, string] => [`${table}.${sql}`, text])
  })
}

/** Makes the files; returns their columns that tell of a person, and where they have a text of one. */
async function findPeople(name: string, withPeople: boolean): Promise<{ columns: string[]; found: string[] }> {
  const directory = join(root, name)
  const parts = collectParts(world.app.platform, { place: { kind: 'file', directory }, keys: {} })
  await makeNight({ ...parts, withPeople }, '2026-01-15')
  const personal = listPersonalTexts()
  const names = new Set(listPersonalColumns().map((column) => column.join('.')))
  const columns = new Set<string>()
  const found = new Set<string>()
  for (const path of readdirSync(directory, { recursive: true }).map(String)) {
    if (!path.endsWith('.parquet')) continue
    const file = new Uint8Array(readFileSync(join(directory, path))).buffer
    const [, table = ''] = path.split('/')
    for (const { element } of parquetSchema(parquetMetadata(file)).children)
      if (names.has(`${table}.${element.name}`)) columns.add(`${table}.${element.name}`)
    const rows = await parquetReadObjects({ file })
    for (const [key, cells] of Object.entries(Object.groupBy(rows.flatMap(Object.entries), ([key]) => key))) {
      const text = (cells ?? []).map(([, cell]) => String(cell)).join('\n')
      for (const [column, one] of personal) if (text.includes(one)) found.add(`${table}.${key} has ${column}: ${one}`)
    }
  }
  return { columns: [...columns], found: [...found].sort() }
}

test('no file for analysis has a column that tells of a person, nor a text of one', async () => {
  expect(await findPeople('without', false)).toEqual({ columns: [], found: [] })
})

test('with people the files have these columns, as the operator asked', async () => {
  const { columns, found } = await findPeople('with', true)
  expect(columns.length).toBeGreaterThan(20)
  const names = new Set(found.map((one) => one.split(' ')[0]))
  for (const column of ['accounts.account_number', 'leads.email', 'traders.email', 'traders.last_name', 'users.email'])
    expect([...names]).toContain(column)
})
