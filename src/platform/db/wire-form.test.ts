import { afterAll, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, currency, flag, id, json, line, money, shownAs, stamps, time } from './columns.ts'
import { colleague, fact, freeText, internal, ours, personal, stays, untold } from './erasure.ts'
import { forgetTable, tenantTable } from './tenant-table.ts'
import { createFields, fileColumns, ownMapper, patchFields, taken, wireFields, wireMapper } from './wire-form.ts'

// test files share the modules that they load
afterAll(() => ['wire_form_parcels', 'wire_form_own', 'wire_form_text'].forEach(forgetTable))

const parcels = tenantTable(
  'wire_form_parcels',
  'prc',
  {
    traderId: column(id(), untold, 'api csv'),
    title: column(line(20).notNull(), personal, 'api csv', 'create'),
    kind: column(
      text({ enum: ['small', 'large'] })
        .notNull()
        .default('small'),
      fact,
      'api csv',
      'create patch',
    ),
    note: column(text(), freeText, 'api csv'),
    currency: column(currency().notNull(), stays('what the books refer to'), 'api csv'),
    price: column(money(), fact, 'api csv'),
    sentAt: column(time(), fact, 'api'),
    packedBy: column(id(), colleague, 'api', 'patch'),
    marks: column(shownAs(json<string[]>(), Type.Array(Type.String())).notNull().default([]), ours(freeText), 'api'),
    byTrader: column(flag().notNull().default(false), internal, 'hidden'),
    createdAt: stamps.createdAt,
  },
  {
    entity: 'parcel',
    owner: 'traderId',
    fileOrder: 'createdAt title',
    isOwnNote: ({ byTrader }) => byTrader === true,
    person: { of: 'traderId' },
  },
)
const row = {
  tenantId: 'ten_1',
  id: 'prc_1',
  traderId: 'trd_1',
  title: 'Boots',
  kind: 'large' as const,
  note: 'fragile',
  currency: 'JPY',
  price: 1500n,
  sentAt: null,
  packedBy: 'usr_1',
  marks: ['wet'],
  byTrader: false,
  createdAt: 0,
}
const { tenantId: _, byTrader: __, ...kept } = row
const shown = { ...kept, price: '1500', createdAt: '1970-01-01T00:00:00.000Z' }

test('an answer has the columns that declare it, each in the form of its type', () => {
  expect(wireMapper(parcels)(row)).toEqual(shown)
  expect(wireMapper(parcels)({ ...row, sentAt: 1, price: null })).toMatchObject({
    sentAt: '1970-01-01T00:00:00.001Z',
    price: null,
  })
})

test('a client sees no column of the firm’s own, and only their own notes', () => {
  const own = ownMapper(parcels)
  expect(own(row)).toEqual({ ...shown, note: null, packedBy: null, marks: [] })
  expect(own({ ...row, byTrader: true }).note).toBe('fragile')
})

test('a required column of the firm’s own is refused in an answer that clients see', () => {
  const table = tenantTable(
    'wire_form_own',
    'wfo',
    { rank: column(integer().notNull(), internal, 'api') },
    { entity: 'own', person: { of: 'id' } },
  )
  expect(() => ownMapper(table)).toThrow('rank')
})

test('fields without a column are placed where they are declared', () => {
  const fields = wireFields(parcels, 'kind', { weight: Type.Integer() })
  expect(Object.keys(fields).slice(2, 6)).toEqual(['title', 'kind', 'weight', 'note'])
  expect(fields.sentAt).toMatchObject({ anyOf: [{ format: 'date-time' }, { type: 'null' }] })
})

test('a file begins with the columns that its table names and ends with notes', () => {
  expect(fileColumns(parcels, { kind: ['weight'] })).toEqual([
    'id',
    'createdAt',
    'title',
    'traderId',
    'kind',
    'weight',
    'currency',
    'price',
    'note',
  ])
})

test('bodies take the columns that declare it, and an insert no others', () => {
  const { title, kind, ...rest } = createFields(parcels)
  expect([title, kind, rest]).toMatchObject([{ maxLength: 20 }, { enum: ['small', 'large'] }, {}])
  expect(Type.Object({ title, kind }).required).toEqual(['title'])
  expect(Object.keys(patchFields(parcels))).toEqual(['kind', 'packedBy'])
  expect(taken(parcels, { title: 'Hat', note: 'n', traderId: 'trd_2' })).toEqual({ title: 'Hat' })
})

test('a column without a wire form is refused', () => {
  const table = tenantTable('wire_form_json', 'wfj', { data: column(json().notNull(), fact, 'api') }, { entity: 'j' })
  expect(() => wireFields(table)).toThrow('shownAs')
})

test('a text about a person that is declared as no personal data does not compile', () => {
  const columns = { traderId: column(id(), untold, 'hidden'), name: column(text(), fact, 'hidden') }
  // @ts-expect-error a name can tell who somebody is: it goes, or stays for a reason
  tenantTable('wire_form_text', 'wft', columns, { entity: 'text', person: { of: 'traderId' } })
})
