import { type Static, Type } from '@sinclair/typebox'
import type { BoxFact } from '../db/box-facts.ts'
import { Nullable } from '../wire/fields.ts'

/** The last takeover by which this database came to the server that has it. */
export const Promotion = Type.Object({
  /** The history that was claimed for this database, and the one that it goes on from. */
  history: Type.String(),
  from: Type.String(),
  at: Type.String(),
  /** The time of the newest change of the server before that arrived; null if none did. */
  until: Nullable(Type.String()),
  /** Every answer of the server before waited for the replica, so that nothing is missing. */
  isWhole: Type.Boolean(),
})

export type Promotion = Static<typeof Promotion>
export const PROMOTION: BoxFact<typeof Promotion> = { name: 'promotion', shape: Promotion }

/** The note that a takeover leaves at the place for the server before. */
export const PromotedNote = Type.Object({
  /** The name of the machine that took over, and its address (empty if unknown). */
  by: Type.String(),
  url: Type.String(),
  at: Type.String(),
  /** The time of the newest change that arrived; null if none did. */
  until: Nullable(Type.String()),
  /** The last audit entry of each firm that arrived, by the firm's id. */
  heads: Type.Record(Type.String(), Type.Object({ sequence: Type.Integer(), hash: Type.String() })),
})
export type PromotedNote = Static<typeof PromotedNote>

/** Returns the name of the note about the takeover that began a history. */
export const promotedName = (history: string): string => `promoted-${history}.json`
