import { Type } from '@sinclair/typebox'
import { Amount, Currency, Id, Nullable, OneOf, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'

export const MergeIn = nameSchema(
  'TraderMergeIn',
  Strict({
    primaryId: Id,
    secondaryId: Id,
    dryRun: Type.Optional(Type.Boolean({ description: 'only say what would happen' })),
  }),
)
const Counted = Type.Array(Type.Object({ kind: Type.String(), count: Type.Integer() }))
export const MergeOut = nameSchema(
  'TraderMerge',
  Type.Object({
    id: Nullable(Id),
    dryRun: Type.Boolean(),
    primaryId: Id,
    secondaryId: Id,
    needsRole: OneOf(['manager', 'admin'], {
      description: 'admin where the secondary has money or records that the law keeps',
    }),
    moves: Counted,
    collisions: Counted,
    lost: Type.Array(Type.String(), { description: 'names of fields of the secondary that go' }),
    wallets: Type.Array(Type.Object({ currency: Currency, available: Amount, held: Amount })),
  }),
)
