import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { equals } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Id, Line, Nullable, OneOf, Prose, ReportedLine, Strict, Time, Version } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { hasLeft } from '../../firm/users/users.former.ts'
import { type PspConnectionRow, pspConnections } from '../deposits/gateways.table.ts'
import { pspExceptions } from './psp.table.ts'

const STATUS = ['active', 'disabled'] as const
const Secret = Type.String({ minLength: 16, maxLength: 200, description: 'shared with the gateway; write-only' })

export const PspIn = nameSchema(
  'PspConnectionIn',
  Strict({ name: Line(100), kind: OneOf(['generic']), secret: Secret }),
)
export const PspPatch = nameSchema(
  'PspConnectionPatch',
  Strict({
    name: Type.Optional(Line(100)),
    status: Type.Optional(OneOf(STATUS)),
    secret: Type.Optional(Secret),
  }),
)

export const PspOut = nameSchema(
  'PspConnection',
  Type.Object({
    id: Id,
    name: Type.String(),
    kind: OneOf(['generic']),
    status: OneOf(STATUS),
    secretBy: Nullable(Id),
    secretAt: Nullable(Time),
    standsStill: Type.Boolean({
      description: 'who entered the secret left: results post nothing until somebody else enters a new one',
    }),
    callbackPath: Type.String({ description: 'where the gateway posts its results' }),
    lastCallbackAt: Nullable(Time),
    openExceptions: Type.Integer({ description: 'believed words that contradict our books and wait for a person' }),
    version: Version,
    createdAt: Time,
    updatedAt: Time,
  }),
)

/** Returns the wire form of a gateway connection with its open exceptions, without its secret. */
export const toPsp = (row: PspConnectionRow, db: Reader): Static<typeof PspOut> => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  status: row.status,
  secretBy: row.secretBy,
  secretAt: row.secretAt === null ? null : toIso(row.secretAt),
  standsStill: hasLeft(db, row.secretBy),
  callbackPath: `/v1/psp/${row.id}/callback`,
  lastCallbackAt: row.lastCallbackAt === null ? null : toIso(row.lastCallbackAt),
  openExceptions: db.count(pspExceptions, { connectionId: row.id, state: 'open' }),
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export const pspList = defineList({
  name: 'psp_connections',
  table: pspConnections,
  filters: { status: equals(pspConnections.status) },
})

/** The most characters of an amount or a currency, and of a reason. */
export const CALLBACK_LENGTHS = { field: 30, reason: 500 }
/** The body of a gateway's callback. `depositId` may be omitted once the reference is known. */
export const CallbackIn = nameSchema(
  'PspCallbackIn',
  Type.Object({
    reference: ReportedLine(100),
    depositId: Type.Optional(Id),
    status: OneOf(['success', 'failed', 'processing']),
    amount: Type.Optional(
      Type.String({ maxLength: CALLBACK_LENGTHS.field, description: 'decimal; a JSON number is read digit by digit' }),
    ),
    currency: Type.Optional(Type.String({ maxLength: CALLBACK_LENGTHS.field, description: 'in either case' })),
    reason: Type.Optional(Type.String({ maxLength: CALLBACK_LENGTHS.reason })),
  }),
)
export const CallbackOut = nameSchema(
  'PspCallback',
  Type.Object({
    outcome: OneOf(['applied', 'noted', 'repeated']),
    depositId: Id,
    status: Type.String({ description: 'the deposit’s status now' }),
  }),
)

export const ExceptionOut = nameSchema('PspException', Type.Object(wireFields(pspExceptions)))
export type Exception = Static<typeof ExceptionOut>
export const toException = wireMapper(pspExceptions)
export const CloseExceptionIn = nameSchema(
  'PspExceptionCloseIn',
  Strict({
    reason: Prose(1000),
    depositId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'the deposit that booked the payment, where one did' }),
    ),
  }),
)

export const exceptionList = defineList({
  name: 'psp_exceptions',
  table: pspExceptions,
  filters: {
    state: equals(pspExceptions.state),
    connectionId: equals(pspExceptions.connectionId, Id),
    depositId: equals(pspExceptions.depositId, Id),
  },
})
