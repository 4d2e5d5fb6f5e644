import { type Static, Type } from '@sinclair/typebox'
import { Id, Nullable, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { Count, Day, frame, frameExample } from './reporting.model.ts'

export const ActivityOut = nameSchema(
  'Activity',
  Type.Object(
    {
      ...frame,
      days: Type.Array(Day),
      dayEdges: Type.Array(Time, { description: 'when each of the days begins, and the last one ends' }),
      users: Type.Array(
        Type.Object({
          userId: Id,
          name: Nullable(Type.String()),
          total: Count,
          byKey: Type.Integer({ description: 'of them, by the user’s API keys' }),
          asClient: Type.Integer({ description: 'of them, acting as a client' }),
          days: Type.Array(Count),
          actions: Type.Array(Type.Object({ action: Type.String(), count: Count })),
        }),
      ),
    },
    { examples: [{ ...frameExample, days: [], dayEdges: [], users: [] }] },
  ),
)
export type Activity = Static<typeof ActivityOut>
