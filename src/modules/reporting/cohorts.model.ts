import { type Static, Type } from '@sinclair/typebox'
import { named } from '../../platform/http/named.ts'
import { Count, frame, framed, Month } from './reporting.model.ts'

export const CohortsOut = named(
  'Cohorts',
  Type.Object(
    {
      ...frame,
      cohorts: Type.Array(
        Type.Object({
          month: Month,
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
    { examples: [{ ...framed, cohorts: [{ month: '2026-01', traders: 3, months: [] }] }] },
  ),
)
export type Cohorts = Static<typeof CohortsOut>
