import { type Static, Type } from '@sinclair/typebox'
import { type Clock, DAY } from './clock.ts'
import { type BoxFact, noteFact, readFact } from './db/box-facts.ts'
import { tenantIds } from './db/directory.ts'
import type { Writer } from './db/writer.ts'
import type { Outbox } from './events/outbox.ts'
import type { Gap } from './events/sink/chain.ts'
import { openNatsStream } from './events/sink/nats-stream.ts'
import type { Fork } from './events/sink/position.ts'
import { createSink, type Sink } from './events/sink/sink.ts'
import type { SinkSettings } from './events/sink/sink-place.ts'
import { createSource } from './events/sink/source.ts'
import type { Log } from './log.ts'
import type { Replication } from './replication/replication.ts'
import type { Roles } from './role.ts'
import type { Connection } from './sqlite.ts'

/**
 * Numbers of a firm for which the stream and this server differ. `gone`: the stream lacks them. `restored`: the stream
 * has them from before a restore to an earlier moment; of those written here since then, `unsent` were not sent.
 */
const Difference = Type.Object({
  tenantId: Type.String(),
  kind: Type.Union([Type.Literal('gone'), Type.Literal('restored')]),
  from: Type.Integer(),
  to: Type.Integer(),
  unsent: Type.Integer(),
  at: Type.Integer(),
})
export type SinkDifference = Static<typeof Difference>
const Differences = Type.Array(Difference)

/** The last differences of each firm and kind. */
export const SINK_DIFFERENCES: BoxFact<typeof Differences> = { name: 'sink differences', shape: Differences }

/** Adds a difference to those that are known; one of the same firm, kind and day becomes part of the former one. */
export function mergeDifference(known: readonly SinkDifference[], found: SinkDifference): SinkDifference[] {
  const isSame = ({ tenantId, kind }: SinkDifference): boolean => tenantId === found.tenantId && kind === found.kind
  const before = known.find((one) => isSame(one) && found.at - one.at < DAY)
  const merged = before && {
    ...before,
    from: Math.min(before.from, found.from),
    to: Math.max(before.to, found.to),
    unsent: Math.max(before.unsent, found.unsent),
    // what was known before is not told anew
    at: found.from >= before.from && found.to <= before.to ? before.at : found.at,
  }
  return [...known.filter((one) => !isSame(one)), merged ?? found]
}

type Parts = {
  settings: SinkSettings | null
  connection: Connection
  reader: Connection
  writer: Writer
  outbox: Outbox
  roles: Roles
  replication: Replication | null
  clock: Clock
  log: Log
}

/** Creates the sink for all events, not yet started; null if the configuration names no stream. */
export function createEventSink(parts: Parts): Sink | null {
  const { settings, connection, reader, writer, outbox, roles, replication, clock, log } = parts
  if (!settings) return null
  const note = (difference: Omit<SinkDifference, 'at'>): void => {
    const now = clock.now()
    const known = readFact(connection, SINK_DIFFERENCES)?.value ?? []
    noteFact(connection, SINK_DIFFERENCES, mergeDifference(known, { ...difference, at: now }), now)
  }
  const sink = createSink({
    open: () => openNatsStream(settings),
    source: createSource(reader, { firms: () => tenantIds(reader), head: outbox.head }),
    owe: () => replication?.owe() ?? (() => true),
    isPrimary: () => roles.current().name === 'primary',
    noteGaps: (gaps: readonly Gap[]) =>
      writer.submit(
        () => {
          for (const gap of gaps) note({ ...gap, kind: 'gone', unsent: 0 })
        },
        { local: true },
      ),
    settle: ({ tenantId, from, to, unsent }: Fork) =>
      writer.submit(
        () => {
          note({ tenantId, kind: 'restored', from, to, unsent })
          outbox.raise(tenantId, to)
        },
        { local: true },
      ),
    clock,
    log,
  })
  writer.onCommit(sink.wake)
  return sink
}
