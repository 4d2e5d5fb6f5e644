import { SECOND } from './clock.ts'
import type { Writer } from './db/writer.ts'
import type { Sink } from './events/sink/sink.ts'
import type { MailRelay } from './mail-relay.ts'
import type { Metrics } from './metrics.ts'
import { taskCounts } from './query-runner/task.ts'
import type { Replication } from './replication/replication.ts'
import type { Sight } from './standby/sight.ts'

/** Registers whether mail goes out. */
function registerMailMetrics(metrics: Metrics, relay: MailRelay): void {
  if (relay.transport === null) return
  const isFailing = (): number => Number(relay.fault() !== null)
  metrics.gauge('mail_relay_failing', 'Whether the mail relay took no mail at the last attempt.', isFailing)
  const { answers, faults } = relay.counts
  metrics.counter('mail_relay_answers_total', 'Mails that the relay took, or refused for their recipient.', answers)
  metrics.counter('mail_relay_faults_total', 'Attempts that failed for the relay’s sake.', faults)
}

/** Registers how old a standby's data is, and whether its primary is seen. */
function registerStandbyMetrics(metrics: Metrics, standby: Sight): void {
  const age = (): number => standby.seen().ageSeconds ?? Number.NaN
  metrics.gauge('standby_age_seconds', 'Age of what arrived from the primary; NaN before anything did.', age)
  const isStale = (): number => Number(standby.seen().isStale)
  metrics.gauge('standby_stale', 'Whether that is older than it should be.', isStale)
  const silent = (): number => standby.seen().silentMs / SECOND
  metrics.gauge('standby_primary_silent_seconds', 'Time since the last sign of the primary.', silent)
  const ahead = (): number => (standby.seen().clockAheadMs ?? Number.NaN) / SECOND
  metrics.gauge('standby_clock_ahead_seconds', 'By how much the primary’s clock is ahead; NaN if unknown.', ahead)
}

/** Registers how far the stream of events is. */
function registerSinkMetrics(metrics: Metrics, sink: Sink): void {
  const isRunning = (): number => Number(sink.seen().state === 'running')
  metrics.gauge('sink_running', 'Whether events go to the stream now.', isRunning)
  const lag = (): number => sink.seen().lag ?? Number.NaN
  metrics.gauge('sink_lag_events', 'Events that are not known to be in the stream; NaN before it was asked.', lag)
  const seconds = (): number => sink.seen().lagMs / SECOND
  metrics.gauge('sink_lag_seconds', 'For how long the oldest of them has waited.', seconds)
  metrics.counter('sink_published_total', 'Events that this process sent to the stream.', () => sink.seen().published)
}

/** Registers the metrics of the replication, the writer, the write-ahead log and the children. */
export function registerMetrics(
  metrics: Metrics,
  parts: {
    writer: Writer
    logBytes: () => number
    replication: Replication | null
    sink: Sink | null
    mailRelay: MailRelay
    standby: Sight | null
  },
): void {
  const { writer, logBytes, replication, sink, mailRelay, standby } = parts
  registerMailMetrics(metrics, mailRelay)
  if (sink) registerSinkMetrics(metrics, sink)
  if (standby) registerStandbyMetrics(metrics, standby)
  if (replication) {
    const lag = (): number => Math.max(...replication.seen().databases.map(({ lagMs }) => lagMs)) / SECOND
    metrics.gauge('replica_lag_seconds', 'Since when the replica lacks something.', lag)
    const isRunning = (): number => {
      const { state, lost } = replication.seen()
      return state === 'running' && lost === null ? 1 : 0
    }
    metrics.gauge('replica_running', 'Whether the engine runs and the replica holds what it brought there.', isRunning)
    const losses = (): number => replication.seen().losses
    metrics.counter('replica_losses_total', 'How often the place of the replica lost its files.', losses)
  }
  metrics.gauge('writer_queue', 'Writes that wait for their turn.', () => writer.depth)
  metrics.histogram('writer_group_size', 'Writes that shared one COMMIT.', writer.groupSizes)
  metrics.histogram('writer_commit_seconds', 'Time of a COMMIT, with its sync to the disk.', writer.commitSeconds)
  metrics.counter('writer_commit_failures_total', 'COMMITs that the disk refused.', () => writer.failures)
  metrics.gauge('database_log_bytes', 'Size of the write-ahead log.', logBytes)
  const { running, waiting, killed } = taskCounts
  metrics.gauge('query_runner_running', 'Children that run.', running)
  metrics.gauge('query_runner_waiting', 'Requests and jobs that wait for a child.', waiting)
  metrics.counter('query_runner_killed_total', 'Children that were stopped: too long, too large, not wanted.', killed)
}
