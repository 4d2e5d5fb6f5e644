import { type Static, Type } from '@sinclair/typebox'
import type { Clock } from '../../../platform/clock.ts'
import type { BoxFact } from '../../../platform/db/box-facts.ts'
import type { Log } from '../../../platform/log.ts'
import type { ReplicaSettings } from '../../../platform/replication/replica-place.ts'
import type { Replication } from '../../../platform/replication/replication.ts'
import { DrillOut } from './backups.model.ts'

/** The last drill, and the last one that proved every copy good. */
export const LAST_DRILL: BoxFact<typeof DrillOut> = { name: 'last drill', shape: DrillOut }
const Proven = Type.Object({ at: Type.String() })
export const LAST_PROOF: BoxFact<typeof Proven> = { name: 'last proof', shape: Proven }

/** The parts that a box's backups need. */
export type BackupParts = {
  dataDir: string
  replica: ReplicaSettings | null
  litestream: string
  /** The replication of this process; null without one. */
  replication: Replication | null
  key: () => Uint8Array
  version: string
  clock: Clock
  log: Log
  facts: {
    /** Returns the history of this box at its replica; undefined if it never replicated there. */
    lineage(): string | undefined
    drill(): { value: Static<typeof DrillOut>; at: number } | undefined
    proof(): { value: Static<typeof Proven>; at: number } | undefined
    note(drill: Static<typeof DrillOut>): Promise<void>
    /** Returns how often the seal of the live database was renewed. */
    countSealRenewals(): number
    /** Returns whether the live data has the bytes of a document. */
    hasFile(tenantId: string, fileId: string): boolean
  }
}
