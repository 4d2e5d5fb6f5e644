import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node'
import { DAY, MINUTE, SECOND } from '../../clock.ts'
import type { SinkSettings } from './sink-place.ts'
import { buildFirmSubject, type EventStream, SinkRefused, type Stored, type StreamSeen, SUBJECTS } from './stream.ts'

/** The longest time that an answer may take. */
const PATIENCE = 5 * SECOND
/** The time that giving up a connection may take. */
const FAREWELL = SECOND
const COPIES = 3
/** NATS measures times in nanoseconds. */
const NANOSECONDS = 1e6
/** A message that comes twice within this time is one; exactness does not depend on it. */
const DUPLICATES = 2 * MINUTE
const KEPT = 30 * DAY

/** Codes of NATS: no such stream; too few servers for the copies; no cluster; another stream has the subjects. */
const CODES = { missing: 10059, tooFew: [10005, 10023], alone: 10074, overlap: 10065, exists: 10058 }

/** Returns how this server connects, and shows who it is. */
async function buildOptions({ place, keys }: SinkSettings): Promise<ConnectionOptions> {
  const { credsAuthenticator } = await import('@nats-io/transport-node')
  return {
    servers: place.servers,
    name: 'brokerbase',
    timeout: PATIENCE,
    // whatever fails, another connection is made and the stream is asked again
    reconnect: false,
    pingInterval: 10 * SECOND,
    maxPingOut: 2,
    ...(place.isTls ? { tls: {} } : {}),
    ...(keys && 'creds' in keys ? { authenticator: credsAuthenticator(new TextEncoder().encode(keys.creds)) } : {}),
    ...(keys && 'user' in keys ? { user: keys.user, pass: keys.password } : {}),
  }
}

/** Connects to one of the servers, and returns what is asked of NATS about the stream. */
async function connectTo(settings: SinkSettings) {
  // loaded at the first use, since most servers send no events this way
  const [{ connect }, { jetstream, jetstreamManager, JetStreamApiError }] = await Promise.all([
    import('@nats-io/transport-node'),
    import('@nats-io/jetstream'),
  ])
  const connection = await connect(await buildOptions(settings))
  try {
    const options = { timeout: PATIENCE }
    const manager = await jetstreamManager(connection, { ...options, checkAPI: false })
    const readCode = (error: unknown): number => (error instanceof JetStreamApiError ? error.code : 0)
    return { connection, manager, client: jetstream(connection, options), readCode }
  } catch (error) {
    await connection.close()
    throw error
  }
}
type Connected = Awaited<ReturnType<typeof connectTo>>

/** Makes the stream: with three copies, or with one if there are fewer servers. */
async function makeStream({ manager, readCode }: Connected, { place }: SinkSettings): Promise<void> {
  const add = async (copies: number): Promise<void> => {
    await manager.streams.add({
      name: place.stream,
      subjects: [SUBJECTS],
      num_replicas: copies,
      duplicate_window: DUPLICATES * NANOSECONDS,
      max_age: KEPT * NANOSECONDS,
    })
  }
  try {
    await add(COPIES).catch(async (error: unknown) => {
      const code = readCode(error)
      // of three servers that are named one may be away now, and comes back
      const isShort = code === CODES.alone || (CODES.tooFew.includes(code) && place.servers.length < COPIES)
      if (!isShort) throw error
      await add(1)
    })
  } catch (error) {
    const code = readCode(error)
    if (code === CODES.overlap) throw new SinkRefused(`another stream there has the subjects ${SUBJECTS}`)
    if (code !== CODES.exists) throw error
  }
}

type Info = Awaited<ReturnType<Connected['manager']['streams']['info']>>

/** Throws if the stream is not one for all events of a box. */
function refuseOthers({ config }: Info): void {
  const { name, subjects = [], retention, mirror, sources, no_ack: isSilent } = config
  const refuse = (why: string): never => {
    throw new SinkRefused(`the stream ${name} ${why}`)
  }
  if (subjects.length !== 1 || (subjects[0] !== SUBJECTS && subjects[0] !== 'brokerbase.>'))
    refuse(`has the subjects ${subjects.join(', ') || 'of others'}, and not ${SUBJECTS}`)
  if (mirror || (sources && sources.length > 0)) refuse('is filled from other streams')
  if (retention !== 'limits') refuse('loses messages when they are read')
  if (isSilent) refuse('does not say what it has')
}

const toSeen = ({ config, state }: Info): StreamSeen => ({
  last: state.last_seq,
  keptMs: config.max_age / NANOSECONDS,
  replicas: config.num_replicas,
})

/** Returns the stream if it is there and may be used; null if it is missing. */
async function findStream({ manager, readCode }: Connected, { place }: SinkSettings): Promise<StreamSeen | null> {
  const info = await manager.streams.info(place.stream).catch((error: unknown) => {
    if (readCode(error) === CODES.missing) return null
    throw error
  })
  if (info) refuseOthers(info)
  return info && toSeen(info)
}

/** Closes a connection; one that does not answer is left after a while. */
const hangUp = (connection: NatsConnection): Promise<void> =>
  Promise.race([connection.close().catch(() => {}), Bun.sleep(FAREWELL)])

/** Connects to the stream of the settings. Rejects if no server answers. */
export async function openNatsStream(settings: SinkSettings): Promise<EventStream> {
  const connected = await connectTo(settings)
  const { connection, manager, client } = connected
  const { stream } = settings.place
  const read = async (query: { seq: number } | { last_by_subj: string }): Promise<Stored | null> => {
    const found = await manager.streams.getMessage(stream, query)
    return (
      found && { place: found.seq, subject: found.subject, id: found.header.get('Nats-Msg-Id'), body: found.string() }
    )
  }
  return {
    look: async () => {
      const seen = await findStream(connected, settings)
      if (seen) return seen
      await makeStream(connected, settings)
      const made = await findStream(connected, settings)
      if (!made) throw new Error(`the stream ${stream} was made, and is not there`)
      return made
    },
    readLast: (tenantId) => read({ last_by_subj: buildFirmSubject(tenantId) }),
    readFrom: (place, tenantId) => {
      const query = { seq: place, next_by_subj: tenantId === undefined ? SUBJECTS : buildFirmSubject(tenantId) }
      return read(query)
    },
    publish: async ({ subject, id, body }, after) => {
      const expect = { lastSequence: after, streamName: stream }
      const { seq } = await client.publish(subject, body, { msgID: id, expect, timeout: PATIENCE })
      return seq
    },
    closed: connection.closed(),
    close: () => hangUp(connection),
  }
}

/** Looks at the stream without making it; null if it is missing. Rejects if no server answers or it is another one. */
export async function lookAtStream(settings: SinkSettings): Promise<StreamSeen | null> {
  const connected = await connectTo(settings)
  try {
    return await findStream(connected, settings)
  } finally {
    await hangUp(connected.connection)
  }
}
