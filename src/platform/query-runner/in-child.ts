import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createReader, type Reader } from '../db/reader.ts'
import { openReader } from '../sqlite.ts'

const Input = Type.Object({ database: Type.String(), tenantId: Type.String() })

/**
 * Runs a task of `ctx.runTask` in its child, with a reader of the whole firm over a connection that is closed
 * afterwards. Throws if the input is not that of `runTask`.
 */
export function readInChild<T>(input: unknown, run: (db: Reader) => T): T {
  const { database, tenantId } = Value.Decode(Input, Value.Clean(Input, structuredClone(input)))
  const connection = openReader(database)
  try {
    return run(createReader(connection, { tenantId, traderId: null }))
  } finally {
    connection.close()
  }
}
