import { type Static, Type } from '@sinclair/typebox'
import { OneOf, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { MOST_CHARACTERS } from './sandbox.statement.ts'

export const SqlIn = nameSchema(
  'SqlIn',
  Strict({
    sql: Type.String({
      minLength: 1,
      maxLength: MOST_CHARACTERS,
      description: 'one SELECT of SQLite over the tables of the schema',
      examples: ['SELECT 1 AS one'],
    }),
  }),
)

export const SqlOut = nameSchema(
  'SqlResult',
  Type.Object(
    {
      columns: Type.Array(
        Type.Object({
          name: Type.String(),
          type: OneOf(['integer', 'number', 'text', 'mixed', 'empty']),
        }),
      ),
      rows: Type.Array(Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()])), {
        description: 'integers beyond 2^53 are texts',
      }),
      rowCount: Type.Integer(),
      truncated: Type.Boolean({ description: 'there is more: it ends after 10,000 rows or 8 MiB' }),
      elapsedMs: Type.Integer(),
    },
    {
      examples: [
        { columns: [{ name: 'one', type: 'integer' }], rows: [[1]], rowCount: 1, truncated: false, elapsedMs: 2 },
      ],
    },
  ),
)
export type SqlResult = Static<typeof SqlOut>

const Described = { name: Type.String(), description: Type.Optional(Type.String()) }
export const SqlSchemaOut = nameSchema(
  'SqlSchema',
  Type.Object(
    {
      tables: Type.Array(
        Type.Object({
          ...Described,
          columns: Type.Array(
            Type.Object({
              ...Described,
              type: OneOf(['text', 'integer', 'money', 'time', 'flag', 'json', 'decimal', 'day'], {
                description: 'money: minor units; time: milliseconds',
              }),
            }),
          ),
        }),
      ),
      functions: Type.Array(Type.Object(Described), { description: 'beside those of SQLite' }),
    },
    { examples: [{ tables: [], functions: [] }] },
  ),
)
export type SqlSchema = Static<typeof SqlSchemaOut>
