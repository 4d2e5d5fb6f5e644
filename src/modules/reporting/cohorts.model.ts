import { type Static, Type } from '@sinclair/typebox'
import { named } from '../../platform/http/named.ts'
import { Count, frame, Month } from './reporting.model.ts'

export const CohortsOut = named(
  'Cohorts',
  Type.Object({
    ...frame,
    cohorts: Type.Array(
      Type.Object({
        month: Month,
        traders: Type.Integer({ minimum: 0, description: 'clients who registered in this month' }),
        months: Type.Array(
          Type.Object({
            since: Type.Integer({ minimum: 0, description: 'months since the one of registration' }),
            month: Month,
            withFirstDeposit: Type.Integer({
              minimum: 0,
              description: 'of them, who had a deposit credited by the end of this month',
            }),
            depositing: Count,
          }),
          { description: 'from the month of registration to this one; `depositing` had a deposit credited in it' },
        ),
      }),
    ),
  }),
)
export type Cohorts = Static<typeof CohortsOut>
