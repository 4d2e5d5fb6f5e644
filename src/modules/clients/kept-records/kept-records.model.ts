import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Id, OneOf, Prose, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'
import { calculateEnd } from './kept-records.end.ts'
import { KEPT_REASONS, type KeptRecordRow, keptRecords } from './kept-records.table.ts'

export const KeptRecordOut = nameSchema(
  'KeptRecord',
  Type.Object({
    id: Id,
    reason: OneOf(KEPT_REASONS),
    keptUntil: worded(Time, 'then it is erased; a longer `keepYears` adds to it, a shorter one takes nothing'),
    createdAt: Time,
  }),
)
type KeptRecord = Static<typeof KeptRecordOut>

export const OpenIn = nameSchema('KeptRecordOpenIn', Strict({ reason: Prose(1000) }))

/** Returns the wire form of a kept record; `years` is the firm's present setting. */
export const toKeptRecord = (row: KeptRecordRow, years: number): KeptRecord => ({
  id: row.id,
  reason: row.reason,
  keptUntil: toIso(calculateEnd(row, years)),
  createdAt: toIso(row.createdAt),
})

export const keptRecordList = defineList({ name: 'kept_records', table: keptRecords, filters: {} })
