import { type Static, Type } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { BulkResults, writeEach } from '../../../platform/http/answers/bulk-results.ts'
import { invalid } from '../../../platform/problem.ts'
import { Id, Nullable, OneOf, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import type { AuditAction } from '../../../words/audit-actions.ts'
import { MOST_LABELS } from '../../../words/rule-figures.ts'
import { say } from '../../../words/say.ts'
import { guardClient } from './client-blocks.ts'
import { traderErrors } from './traders.errors.ts'
import { traderPayload } from './traders.model.ts'
import { checkAssignee } from './traders.service.ts'
import { Labels, RISK_LEVEL, traders } from './traders.table.ts'

const Ids = Type.Array(Id, { minItems: 1, maxItems: 500, uniqueItems: true })
export const BulkEditIn = nameSchema(
  'TraderBulkEditIn',
  Strict({
    ids: Ids,
    changes: Strict({
      addSegments: Type.Optional(Labels),
      removeSegments: Type.Optional(Labels),
      addTags: Type.Optional(Labels),
      removeTags: Type.Optional(Labels),
      assignedTo: Type.Optional(Nullable(Id)),
      riskLevel: Type.Optional(OneOf(RISK_LEVEL)),
    }),
  }),
)
export const BulkSegmentsIn = nameSchema(
  'TraderBulkSegmentsIn',
  Strict({ ids: Ids, add: Type.Optional(Labels), remove: Type.Optional(Labels) }),
)
export const BulkOut = nameSchema(
  'TraderBulkResult',
  BulkResults({
    changed: Type.Optional(Type.Array(Type.String(), { description: 'names of the fields that are different now' })),
  }),
)

type Changes = Static<typeof BulkEditIn>['changes']

/** Returns labels after a change, in order; one that is both added and removed is removed. */
function applyLabels(labels: readonly string[], add: readonly string[] = [], remove: readonly string[] = []): string[] {
  const after = [...new Set([...labels, ...add])].filter((name) => !remove.includes(name))
  if (after.length > MOST_LABELS) throw traderErrors.too_many_segments()
  return after
}

/** Changes one client of many; returns the names of the changed fields. */
function editOne(tx: Tx, ctx: Ctx, id: string, changes: Changes): string[] {
  const before = tx.get(traders, id)
  const { assignedTo, riskLevel } = changes
  const after = tx.update(traders, id, {
    segments: applyLabels(before.segments, changes.addSegments, changes.removeSegments),
    tags: applyLabels(before.tags, changes.addTags, changes.removeTags),
    ...(assignedTo === undefined ? {} : { assignedTo }),
    ...(riskLevel === undefined ? {} : { riskLevel }),
  })
  if (after.version === before.version) return []
  guardClient(tx, ctx, before, riskLevel === undefined ? {} : { riskLevel })
  const changed = (['segments', 'tags', 'assignedTo', 'riskLevel'] as const).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
  tx.emit('trader.updated', { ...traderPayload(after), changed })
  return changed
}

/**
 * Changes many clients separately: an unknown client or a refused change is reported and does not stop the others.
 * Fires `trader.updated` for each changed client. 422 if `assignedTo` is unknown.
 */
async function editEach(
  ctx: Ctx,
  action: AuditAction,
  ids: readonly string[],
  changes: Changes,
): Promise<Static<typeof BulkOut>> {
  checkAssignee(ctx.db, changes.assignedTo, 'changes.assignedTo')
  return writeEach(ctx, action, ids, (tx, id) => ({ changed: editOne(tx, ctx, id, changes) }))
}

/** Changes segments, tags, assignment and risk of at most 500 clients. 422 if no change is named. RULES “Bulk”. */
export function bulkEdit(ctx: Ctx, { ids, changes }: Static<typeof BulkEditIn>) {
  if (Object.keys(changes).length === 0) throw invalid('changes', 'required', say('client.field.changes_required'))
  return editEach(ctx, 'trader.bulk_edit', ids, changes)
}

/** Adds or removes segments of at most 500 clients. 422 if neither is named. RULES “Bulk”. */
export function bulkSegments(ctx: Ctx, { ids, add, remove }: Static<typeof BulkSegmentsIn>) {
  if (!add?.length && !remove?.length) throw invalid('add', 'required', say('client.field.segments_required'))
  return editEach(ctx, 'trader.bulk_segments', ids, {
    ...(add ? { addSegments: add } : {}),
    ...(remove ? { removeSegments: remove } : {}),
  })
}
