import { Type } from '@sinclair/typebox'
import { OnePage } from '../../../platform/http/lists/page.ts'
import { KeyKept, WORDS_BACK } from '../../../platform/recovery-key.ts'
import { KEY_WORDS } from '../../../platform/recovery-words.ts'
import { DATABASES } from '../../../platform/replication/engine-config.ts'
import { Nullable, OneOf, Prose, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { ReplicaOut } from '../backups/backups.model.ts'

export const RecoveryKeyOut = nameSchema(
  'RecoveryKey',
  Type.Object({
    kept: Nullable(Type.Object({ at: Time, ...KeyKept.properties })),
  }),
)

export const RecoveryWordsOut = nameSchema(
  'RecoveryWords',
  Type.Object({
    words: Type.Array(Type.String(), {
      minItems: KEY_WORDS,
      maxItems: KEY_WORDS,
      examples: [[...Array(KEY_WORDS - 1).fill('abandon'), 'art']],
    }),
  }),
)

export const JobRunOut = nameSchema(
  'JobRun',
  Type.Object({
    startedAt: Time,
    endedAt: Nullable(Time),
    status: OneOf(['running', 'done', 'failed', 'interrupted', 'nothing'], {
      description: 'nothing: there was nothing to do',
    }),
    detail: Nullable(Type.String({ description: 'what it did, or why it failed' })),
  }),
)
export const JobOut = nameSchema(
  'Job',
  Type.Object({
    name: Type.String(),
    about: Type.String(),
    everySeconds: Type.Number({ description: 'from the end of one run to the start of the next' }),
    running: Type.Boolean(),
    lastRun: Nullable(JobRunOut),
    lastWork: Nullable(JobRunOut),
  }),
)
export const JobsOut = nameSchema('Jobs', Type.Object({ data: Type.Array(JobOut), nextCursor: OnePage }))
export const JobParam = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 60, pattern: '^[a-z][a-z0-9.-]*$' }),
})

export const WarningOut = nameSchema(
  'SystemWarning',
  Type.Object({
    code: OneOf([
      'disk',
      'log',
      'writes',
      'audit',
      'replica',
      'place_lost',
      'drill_failed',
      'not_proven',
      'certificate',
      'mail',
      'standby_stale',
      'standby_clock',
      'standby_silent',
      'standby_proof',
      'sink_refused',
      'sink_taken',
      'sink_gap',
      'sink_behind',
    ]),
    severity: OneOf(['alarm', 'warning'], { description: 'administrators are mailed about an alarm' }),
    text: Type.String({ description: 'what is wrong, for people' }),
  }),
)
export const CertificateOut = nameSchema(
  'SystemCertificate',
  Type.Object({
    source: OneOf(['files', 'acme']),
    notAfter: Nullable(Time),
    names: Type.Array(Type.String()),
    lastError: Nullable(Type.String({ description: 'why the last renewal failed' })),
  }),
)
const StandbyOut = nameSchema(
  'SystemStandby',
  Type.Object({
    primary: Nullable(Type.String({ description: 'address of the server that writes; null while it is not known' })),
    history: Nullable(Type.String({ description: 'id of the history whose copies are read' })),
    ageSeconds: Nullable(Type.Integer({ description: 'of what arrived; null before anything did' })),
    stale: Type.Boolean({ description: 'whether that is older than it should be' }),
    silentSeconds: Type.Integer({ description: 'since the last sign of the server that writes' }),
    clockAheadSeconds: Nullable(
      Type.Integer({ description: 'of that server’s clock, give or take one; null if unknown' }),
    ),
  }),
)
export const SystemStatusOut = nameSchema(
  'SystemStatus',
  Type.Object({
    version: Type.String(),
    commit: Type.String(),
    schema: Type.Integer({ description: 'migrations of the database' }),
    sqlite: Type.String(),
    startedAt: Time,
    now: Time,
    memoryBytes: Type.Integer(),
    disk: Type.Object({ freeBytes: Type.Integer(), totalBytes: Type.Integer() }),
    databases: Type.Array(
      Type.Object({
        name: OneOf(DATABASES),
        bytes: Type.Integer(),
        logBytes: Type.Integer({ description: 'of its write-ahead log' }),
      }),
    ),
    replica: Nullable(ReplicaOut),
    standby: Nullable(StandbyOut),
    provenAt: Nullable(Time),
    certificate: Nullable(CertificateOut),
    keyKept: Type.Boolean({ description: 'whether somebody keeps the recovery key outside of the machine' }),
    failedJobs: Type.Array(Type.String({ description: 'whose last run failed' })),
    warnings: Type.Array(WarningOut),
  }),
)

const PlacedWord = Strict({
  place: Type.Integer({ minimum: 1, maximum: KEY_WORDS, description: 'its number in the list' }),
  word: Type.String({ minLength: 1, maxLength: 40 }),
})
export const KeyKeptIn = nameSchema(
  'RecoveryKeyKeptIn',
  Strict(
    {
      words: Type.Optional(
        Type.Array(PlacedWord, {
          minItems: WORDS_BACK,
          maxItems: KEY_WORDS,
          description: 'at least three words of the key, each at its place',
        }),
      ),
      elsewhere: Type.Optional(Prose(500)),
    },
    { examples: [{ elsewhere: 'On paper, in the safe of the notary.' }] },
  ),
)
