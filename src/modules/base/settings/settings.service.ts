import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { versionConflict } from '../../../platform/problem.ts'
import { tenantSettings } from './settings.table.ts'

/** A setting that a firm may change: `fallback` applies until it does. */
type Setting<S extends TSchema> = { key: string; schema: S; fallback: Static<S> }

export const defineSetting = <S extends TSchema>(key: string, schema: S, fallback: Static<S>): Setting<S> => ({
  key,
  schema,
  fallback,
})

/** Returns the firm's value, or the default with version 0 if none is stored or it no longer fits the schema. */
export function readSetting<S extends TSchema>(db: Reader, setting: Setting<S>): { value: Static<S>; version: number } {
  const row = db.find(tenantSettings, { id: setting.key })
  if (row && Value.Check(setting.schema, row.value)) return { value: row.value, version: row.version }
  return { value: setting.fallback, version: row?.version ?? 0 }
}

/** Stores a value that the route validated, and audits it. `expect` is the version from `If-Match`. */
export function writeSetting<S extends TSchema>(
  tx: Tx,
  setting: Setting<S>,
  value: Static<S>,
  expect: number | undefined,
): { value: Static<S>; version: number } {
  const existing = tx.find(tenantSettings, { id: setting.key })
  if (!existing && expect !== undefined && expect !== 0) throw versionConflict(0)
  const row = existing
    ? tx.update(tenantSettings, setting.key, { value }, { expect })
    : tx.insert(tenantSettings, { id: setting.key, value })
  return { value, version: row.version }
}
