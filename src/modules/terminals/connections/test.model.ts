import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Nullable, OneOf, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { RIGHTS } from '../contract/terminal.ts'
import { ACCOUNT_TYPES, type HealthRow } from './connections.table.ts'

const CHECK_STATES = ['fine', 'look_closer', 'fails'] as const
const CHECKS = ['certificate', 'sign_in', 'clock', 'groups', 'read', 'open', 'change', 'money', 'needless'] as const
export const TestOut = nameSchema(
  'TerminalTest',
  Type.Object({
    at: Time,
    checks: Type.Array(Type.Object({ name: OneOf(CHECKS), state: OneOf(CHECK_STATES), text: Type.String() })),
    certificate: Nullable(
      Type.Object({
        fingerprint: Type.String(),
        names: Type.Array(Type.String()),
        issuer: Type.String(),
        validTo: Time,
      }),
    ),
    rights: Type.Object({
      had: Type.Array(OneOf(RIGHTS)),
      missing: Type.Array(OneOf(RIGHTS)),
      needless: Type.Array(OneOf(RIGHTS)),
    }),
    groups: Type.Array(
      Type.Object({
        name: Type.String(),
        currency: Type.String(),
        marginMode: OneOf(['netting', 'hedging']),
        type: Nullable(OneOf(ACCOUNT_TYPES)),
      }),
    ),
    build: Nullable(Type.String()),
  }),
)
export type Test = Static<typeof TestOut>
export type Check = Test['checks'][number]

/** Returns the last test of a connection; null if it was never tested, or if an older program tested it. */
export function readTest(health: HealthRow | undefined): Test | null {
  const test: unknown = health?.test ?? null
  return Value.Check(TestOut, test) ? test : null
}
