import { Type } from '@sinclair/typebox'
import { Id, Nullable, Time } from '../../platform/http/fields.ts'
import { defineList, filter } from '../../platform/http/page.ts'
import { auditEntries } from './audit.table.ts'

const Word = Type.String({ minLength: 1, maxLength: 100 })
const Changed = Nullable(Type.Object({}, { additionalProperties: true }))

export const AuditOut = Type.Object({
  id: Id,
  seq: Type.Integer({ description: 'place in the firm’s chain' }),
  at: Time,
  actorKind: Type.String(),
  actorId: Nullable(Id),
  actorName: Nullable(Type.String()),
  apiKeyId: Nullable(Id),
  impersonatorId: Nullable(Id),
  ip: Nullable(Type.String()),
  requestId: Nullable(Type.String()),
  action: Type.String(),
  entity: Type.String(),
  entityId: Nullable(Id),
  traderId: Nullable(Id),
  before: Changed,
  after: Changed,
  erased: Type.Boolean({ description: 'the clear text was erased with the person; the chain is whole' }),
  hash: Type.String(),
})

export const auditList = defineList({
  name: 'audit',
  table: auditEntries,
  filters: {
    actorId: filter(Id, 'audit.actor_id = ?'),
    actorKind: filter(Word, 'audit.actor_kind = ?'),
    action: filter(Word, 'audit.action = ?'),
    entity: filter(Word, 'audit.entity = ?'),
    entityId: filter(Id, 'audit.entity_id = ?'),
    traderId: filter(Id, 'audit.trader_id = ?'),
  },
  sorts: { seq: 'seq' },
  defaultSort: '-seq',
  timeColumn: null,
})

const Facet = Type.Array(Type.Object({ value: Type.String(), label: Type.String(), count: Type.Integer() }))
export const FacetsOut = Type.Object({ actions: Facet, actors: Facet, entities: Facet })
export const VerifyOut = Type.Object({
  entries: Type.Integer({ description: 'entries that hold' }),
  intact: Type.Boolean(),
  firstBroken: Nullable(Type.Object({ seq: Type.Integer(), id: Id, reason: Type.String() })),
})
