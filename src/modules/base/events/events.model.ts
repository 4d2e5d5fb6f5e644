import { type Static, Type } from '@sinclair/typebox'
import { DAY } from '../../../platform/clock.ts'
import { Id, Nullable, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { EVENT_DAYS } from '../../../words/rule-figures.ts'

/** Events are kept for 30 days, updates of positions for one. RULES “Events”. */
export const KEPT = EVENT_DAYS * DAY
export const UPDATES_KEPT = DAY
/** One answer has at most this many events. */
export const PAGE = 500

const DIGITS = '^\\d{1,15}$'
/** A position in the feed: clients send the integer `lastSequence`, or the digits of `nextCursor`. */
const Sequence = (description: string) =>
  Type.String({
    pattern: DIGITS,
    maxLength: 15,
    'x-integer': { minimum: 0, format: 'int64' },
    description,
  })
/** The same position in a body, where it may be a number. */
export const SequenceIn = (description: string) =>
  Type.Union(
    [
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'a whole number from 0' }),
      Type.String({ pattern: DIGITS, maxLength: 15, description: 'its digits' }),
    ],
    { description },
  )

export const EventQuery = Type.Object(
  {
    after: Type.Optional(Sequence('only events with a higher number; without it, from the oldest that is kept')),
    types: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1000, description: 'names of events, parted by commas; default all' }),
    ),
  },
  { additionalProperties: false },
)

export const EventFeedOut = nameSchema(
  'EventFeed',
  Type.Object({
    data: Type.Array(
      Type.Object({
        id: Id,
        event: Type.String(),
        createdAt: Time,
        tenantId: Id,
        sequence: Type.Integer({ description: 'per firm, rising' }),
        payload: Type.Object({}, { additionalProperties: true, description: 'empty once the person was erased' }),
      }),
    ),
    nextCursor: Nullable(
      Type.String({
        description: 'the next `after` while there is more to read now; then null, and `lastSequence` is it',
      }),
    ),
    lastSequence: Type.Integer({ description: 'the newest number of the firm, whether or not it is among these' }),
  }),
)
export type EventFeed = Static<typeof EventFeedOut>
