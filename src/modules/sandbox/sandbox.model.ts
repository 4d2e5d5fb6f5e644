import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Strict } from '../../platform/http/fields.ts'
import { named } from '../../platform/http/named.ts'
import { MOST_CHARACTERS } from './sandbox.statement.ts'

export const SqlIn = named(
  'SqlIn',
  Strict({
    sql: Type.String({
      minLength: 1,
      maxLength: MOST_CHARACTERS,
      description: 'one SELECT of SQLite over the tables of the schema',
      examples: ['SELECT status, count(*) FROM traders GROUP BY status'],
    }),
  }),
)

export const SqlOut = named(
  'SqlResult',
  Type.Object({
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        type: OneOf(['integer', 'number', 'text', 'mixed', 'empty'], { description: 'of the values that came' }),
      }),
    ),
    rows: Type.Array(Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()])), {
      description: 'integers beyond 2^53 are texts',
    }),
    rowCount: Type.Integer({ minimum: 0 }),
    truncated: Type.Boolean({ description: 'there is more: it ends after 10,000 rows or 8 MiB' }),
    elapsedMs: Type.Integer({ minimum: 0 }),
  }),
)
export type SqlResult = Static<typeof SqlOut>

const Described = { name: Type.String(), description: Nullable(Type.String()) }
export const SqlSchemaOut = named(
  'SqlSchema',
  Type.Object({
    tables: Type.Array(
      Type.Object({
        ...Described,
        columns: Type.Array(
          Type.Object({
            ...Described,
            type: OneOf(['text', 'integer', 'money', 'time', 'flag', 'json', 'decimal', 'day'], {
              description: 'money: minor units; time: milliseconds; day: of the firm’s zone',
            }),
          }),
        ),
      }),
    ),
    functions: Type.Array(Type.Object(Described), { description: 'beside those of SQLite' }),
  }),
)
export type SqlSchema = Static<typeof SqlSchemaOut>
