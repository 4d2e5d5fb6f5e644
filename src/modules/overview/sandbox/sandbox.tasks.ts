import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type QueryAnswer, runQuery } from './sandbox.query.ts'

const Input = Type.Object({
  database: Type.String(),
  tenantId: Type.String(),
  timeZone: Type.String(),
  sql: Type.String(),
})

/** Runs one query of an owner in a child. */
export const sandboxTask = (input: unknown): QueryAnswer => runQuery(Value.Decode(Input, input))
