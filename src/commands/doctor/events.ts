import { MINUTE, SECOND } from '../../platform/clock.ts'
import { lookAtStream } from '../../platform/events/sink/nats-stream.ts'
import { SinkRefused } from '../../platform/events/sink/stream.ts'
import { fetchFigure } from './figure.ts'
import { type Check, fail, ok, warn } from './finding.ts'

/** Events that wait this long (ms) are told of. */
const BEHIND = MINUTE

/** Checks the stream that all events go to, and how far behind the running server says it is. */
export const events: Check = {
  name: 'events',
  look: async ({ config }) => {
    const { events: settings } = config
    if (!settings) return []
    const { shown, place } = settings
    try {
      const [seen, lag] = await Promise.all([lookAtStream(settings), fetchFigure(config, 'sink_lag_seconds')])
      if (!seen)
        return [warn('events', `${shown} is not there yet`, 'start the server, which makes it, and look again')]
      const running = lag === undefined ? 'no server runs to ask how far it is' : `${lag.toFixed(1)} s behind`
      const copies = seen.replicas === 1 ? 'one copy' : `${seen.replicas} copies`
      const found = `${shown}, ${copies}, ${running}`
      if (lag !== undefined && lag * SECOND >= BEHIND)
        return [fail('events', found, 'see the log of the server for why')]
      return seen.replicas === 1
        ? [warn('events', found, `three servers keep three: nats stream edit ${place.stream} --replicas 3`)]
        : [ok('events', found)]
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const remedy =
        error instanceof SinkRefused
          ? 'name another stream, or remove that one'
          : 'check BROKERBASE_EVENTS_URL, and _CREDS_FILE or _USER and _PASSWORD beside it'
      return [fail('events', `${shown}: ${why}`, remedy)]
    }
  },
}
