import { Type } from '@sinclair/typebox'
import { DATE_OR_TIME } from '../../wire/formats.ts'

/** When a row was made, or the list's other time column. */
export const period = {
  from: Type.Optional(
    Type.String({
      format: DATE_OR_TIME,
      maxLength: 40,
      description: 'not before this time (ISO 8601); a date means its start in UTC',
    }),
  ),
  to: Type.Optional(
    Type.String({
      format: DATE_OR_TIME,
      maxLength: 40,
      description: 'before this time (ISO 8601); a date means its start in UTC',
    }),
  ),
}
/** When a row last changed. */
export const changed = {
  updatedFrom: Type.Optional(
    Type.String({ format: 'date-time', maxLength: 40, description: 'not changed before this time (ISO 8601)' }),
  ),
  updatedTo: Type.Optional(
    Type.String({ format: 'date-time', maxLength: 40, description: 'changed before this time (ISO 8601)' }),
  ),
}
