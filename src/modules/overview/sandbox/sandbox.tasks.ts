import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type QueryAnswer, runQuery } from './sandbox.query.ts'

const Input = Type.Object({
  database: Type.String(),
  tenantId: Type.String(),
  timeZone: Type.String(),
  sql: Type.String(),
})

/** Child task: one query of an owner. */
export const sandboxTask = (input: unknown): QueryAnswer => runQuery(Value.Decode(Input, input))
