import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Connection } from '../sqlite.ts'

/** A fact that the installation stores, with its name and schema. */
export type BoxFact<S extends TSchema> = { name: string; shape: S }

const READ = 'SELECT value, noted_at AS at FROM box_facts WHERE name = ?'
const NOTE = `INSERT INTO box_facts (name, value, noted_at) VALUES (?1, ?2, ?3)
  ON CONFLICT (name) DO UPDATE SET value = ?2, noted_at = ?3`

/** Returns the last value under a name, and its time (milliseconds); undefined without one. */
export function readFact<S extends TSchema>(
  connection: Connection,
  { name, shape }: BoxFact<S>,
): { value: Static<S>; at: number } | undefined {
  const row = connection.get<{ value: string; at: number }>(READ, [name])
  return row && { value: Value.Decode(shape, JSON.parse(row.value)), at: row.at }
}

/** Stores a fact instead of the former one, inside the caller's write. */
export function noteFact<S extends TSchema>(
  connection: Connection,
  { name }: BoxFact<S>,
  value: Static<S>,
  now: number,
): void {
  connection.run(NOTE, [name, JSON.stringify(value), now])
}
