import { type Static, Type } from '@sinclair/typebox'
import { OnePage } from '../../../platform/http/lists/page.ts'
import { Nullable, OneOf, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { SNAPSHOT_REASONS } from './backups.archive.ts'
import { SNAPSHOT_ID } from './backups.places.ts'
import { CheckReport } from './check.model.ts'

export const SnapshotOut = nameSchema(
  'Snapshot',
  Type.Object({
    id: Type.String({ pattern: SNAPSHOT_ID, examples: ['20261123-020000-nightly'] }),
    createdAt: Time,
    reason: OneOf(SNAPSHOT_REASONS),
    schema: Type.Integer({ description: 'migrations that its database had' }),
    version: Type.String({ description: 'of the program that took it' }),
    bytes: Type.Integer({ description: 'of the two databases in it' }),
    packedBytes: Type.Integer({ description: 'of the file' }),
  }),
)

export const ReplicaOut = nameSchema(
  'Replica',
  Type.Object({
    url: Type.String(),
    state: OneOf(['waiting', 'starting', 'running', 'down'], {
      description: 'waiting: another server replicates to this place',
    }),
    why: Nullable(Type.String({ description: 'why it does not run' })),
    history: Nullable(Type.String({ description: 'the unbroken history that it is in' })),
    lagSeconds: Type.Number({ description: 'since when the replica lacks something; 0 while it has everything' }),
    syncedAt: Nullable(Time),
  }),
)

export const WorkWord = OneOf(['snapshot', 'drill'])

/** The result of a drill for one copy. */
const ProofOut = nameSchema(
  'RestoreProof',
  Type.Object({
    source: Type.String({ description: 'where the copy came from, in words' }),
    ok: Type.Boolean(),
    seconds: Type.Number({ description: 'to fetch and to prove it' }),
    faults: Type.Array(Type.String()),
    check: Nullable(CheckReport),
  }),
)
export type Proof = Static<typeof ProofOut>

export const DrillOut = nameSchema(
  'Drill',
  Type.Object({
    at: Time,
    ok: Type.Boolean({ description: 'every copy that there was is good' }),
    replica: Nullable(ProofOut),
    snapshot: Nullable(ProofOut),
  }),
)

export const BackupsOut = nameSchema(
  'Backups',
  Type.Object({
    data: Type.Array(SnapshotOut),
    nextCursor: OnePage,
    running: Type.Array(WorkWord, { description: 'what is being done now' }),
    replica: Nullable(ReplicaOut),
    drill: Nullable(DrillOut),
    provenAt: Nullable(Time),
  }),
)
export const BackupParam = Type.Object({ id: Type.String({ pattern: SNAPSHOT_ID, maxLength: 40 }) })
