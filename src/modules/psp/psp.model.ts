import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../platform/clock.ts'
import { Id, Line, Nullable, OneOf, Strict, Time, Version } from '../../platform/http/fields.ts'
import { defineList, filter } from '../../platform/http/page.ts'
import { type PspConnectionRow, pspConnections } from './psp.table.ts'

const STATUS = ['active', 'disabled'] as const
const Secret = Type.String({ minLength: 16, maxLength: 200, description: 'shared with the gateway; write-only' })

export const PspIn = Strict({ name: Line(100), kind: OneOf(['generic']), secret: Secret })
export const PspPatch = Strict({
  name: Type.Optional(Line(100)),
  status: Type.Optional(OneOf(STATUS)),
  secret: Type.Optional(Secret),
})

export const PspOut = Type.Object({
  id: Id,
  name: Type.String(),
  kind: OneOf(['generic']),
  status: OneOf(STATUS),
  callbackPath: Type.String({ description: 'where the gateway posts its results' }),
  lastCallbackAt: Nullable(Time),
  version: Version,
  createdAt: Time,
  updatedAt: Time,
})

/** The wire form of a gateway connection; never its secret. */
export const toPsp = (row: PspConnectionRow): Static<typeof PspOut> => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  status: row.status,
  callbackPath: `/v1/psp/${row.id}/callback`,
  lastCallbackAt: row.lastCallbackAt === null ? null : toIso(row.lastCallbackAt),
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export const pspList = defineList({
  name: 'psp_connections',
  table: pspConnections,
  filters: { status: filter(OneOf(STATUS), 'psp_connections.status = ?') },
})

/** What a gateway posts. `depositId` may be left out once a reference is known. */
export const CallbackIn = Type.Object({
  reference: Line(100),
  depositId: Type.Optional(Id),
  status: OneOf(['success', 'failed', 'processing']),
  amount: Type.Optional(Type.String({ maxLength: 30 })),
  currency: Type.Optional(Type.String({ maxLength: 5 })),
  reason: Type.Optional(Type.String({ maxLength: 500 })),
})
export const CallbackOut = Type.Object({
  outcome: OneOf(['applied', 'noted', 'repeated']),
  depositId: Id,
  status: Type.String({ description: 'the deposit’s status now' }),
})
