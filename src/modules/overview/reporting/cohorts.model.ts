import { type Static, Type } from '@sinclair/typebox'
import { Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { Count, frame, frameExample, Month } from './reporting.model.ts'

export const CohortsOut = nameSchema(
  'Cohorts',
  Type.Object(
    {
      ...frame,
      monthEdges: Type.Array(Time, {
        description: 'when each month since the first cohort begins, and the end of the last',
      }),
      cohorts: Type.Array(
        Type.Object({
          month: Month,
          startsAt: Time,
          endsAt: Time,
          traders: Count,
          months: Type.Array(
            Type.Object({
              since: Count,
              month: Month,
              withFirstDeposit: Type.Integer({ description: 'of them, with a deposit by its end' }),
              depositing: Count,
            }),
            { description: 'from the month of registration to this one' },
          ),
        }),
      ),
    },
    {
      examples: [
        {
          ...frameExample,
          monthEdges: ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
          cohorts: [
            {
              month: '2026-01',
              startsAt: '2026-01-01T00:00:00.000Z',
              endsAt: '2026-02-01T00:00:00.000Z',
              traders: 3,
              months: [],
            },
          ],
        },
      ],
    },
  ),
)
export type Cohorts = Static<typeof CohortsOut>
