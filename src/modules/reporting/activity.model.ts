import { type Static, Type } from '@sinclair/typebox'
import { Id, Nullable } from '../../platform/http/fields.ts'
import { named } from '../../platform/http/named.ts'
import { Count, Day, frame } from './reporting.model.ts'

export const ActivityOut = named(
  'Activity',
  Type.Object({
    ...frame,
    days: Type.Array(Day),
    users: Type.Array(
      Type.Object({
        userId: Id,
        name: Nullable(Type.String()),
        total: Count,
        byKey: Type.Integer({ minimum: 0, description: 'of them, by API keys that the user made' }),
        asClient: Type.Integer({ minimum: 0, description: 'of them, while acting as a client' }),
        days: Type.Array(Count, { description: 'as many for each of `days`' }),
        actions: Type.Array(Type.Object({ action: Type.String(), count: Count })),
      }),
      { description: 'the busiest first' },
    ),
  }),
)
export type Activity = Static<typeof ActivityOut>
