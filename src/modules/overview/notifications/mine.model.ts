import { type Static, Type } from '@sinclair/typebox'
import { Currency, Id, Nullable, OneOf, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'

/** An answer has at most this many rows of each kind. */
export const MOST_OF_KIND = 20
const MINE_KINDS = ['ticket', 'withdrawal', 'kyc', 'lead'] as const

const MyWork = nameSchema(
  'MyWork',
  Type.Object({
    kind: OneOf(MINE_KINDS),
    id: Id,
    title: Type.String({ description: 'subject of a ticket, else the person’s name', examples: ['Ada Example'] }),
    name: Nullable(Type.String({ description: 'the client, beside the subject of a ticket' })),
    amount: Nullable(Type.String({ description: 'of a withdrawal' })),
    currency: Nullable(Currency),
    at: Time,
  }),
)
export type MyWork = Static<typeof MyWork>

/** The work that waits for one person. */
export const MineOut = nameSchema(
  'MyWorkList',
  Type.Object({
    data: Type.Array(MyWork, {
      description:
        'open tickets and new leads that are assigned to the caller, submissions of clients that are, and withdrawals ' +
        'that somebody else asked for and the caller has not decided; the newest of each kind',
    }),
    isMore: Type.Boolean({ description: `there are more than ${MOST_OF_KIND} of a kind` }),
  }),
)
export type Mine = Static<typeof MineOut>
