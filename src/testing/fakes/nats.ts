import { existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openNatsStream } from '../../platform/events/sink/nats-stream.ts'
import { parseEventsUrl, type SinkSettings } from '../../platform/events/sink/sink-place.ts'
import type { Stored } from '../../platform/events/sink/stream.ts'

const MADE = join(import.meta.dir, '../../../dist/tools/nats-server')

/** The NATS server on this machine; tests that need one are skipped if there is none. */
export const natsPath: string | null = existsSync(MADE) ? MADE : Bun.which('nats-server')
if (natsPath === null) process.stdout.write('No nats-server here: tests of the stream of events are skipped.\n')

/** Returns ports that are free now. */
async function findPorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = servers.map(async (server) => {
    const { promise, resolve } = Promise.withResolvers<number>()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
    return promise
  })
  const found = await Promise.all(ports)
  await Promise.all(servers.map((server) => new Promise((resolve) => void server.close(resolve))))
  return found
}

/** Servers of NATS, which a test kills and starts again; each keeps its port and its files. */
export type Nats = {
  /** Returns the address of a stream at these servers. */
  url(stream: string): string
  start(at: number): void
  kill(at: number): Promise<void>
  stop(): Promise<void>
}

/** Starts one server of NATS, or a cluster of three, with its files below a directory. */
export async function startNats(root: string, count: 1 | 3 = 1): Promise<Nats> {
  const ports = await findPorts(count)
  const routes = await findPorts(count)
  const running: (Bun.Subprocess | undefined)[] = []
  const others = routes.map((port) => `nats://127.0.0.1:${port}`)
  const cluster = (at: number): string[] =>
    count === 1 ? [] : ['--cluster_name', 'trial', '--cluster', others[at] ?? '', '--routes', others.join(',')]
  const start = (at: number): void => {
    const directory = join(root, `nats-${at}`)
    mkdirSync(directory, { recursive: true })
    const usual = ['-a', '127.0.0.1', '-p', String(ports[at]), '-n', `n${at}`, '-js', '-sd', directory]
    running[at] = Bun.spawn([natsPath ?? '', ...usual, ...cluster(at)], {
      stdout: 'ignore',
      stderr: 'ignore',
    })
  }
  const kill = async (at: number): Promise<void> => {
    running[at]?.kill('SIGKILL')
    await running[at]?.exited
    running[at] = undefined
  }
  const all = Array.from({ length: count }, (_, at) => at)
  for (const at of all) start(at)
  process.on('exit', () => {
    for (const server of running) server?.kill('SIGKILL')
  })
  return {
    url: (stream) => `nats://${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${stream}`,
    start,
    kill,
    stop: async () => {
      await Promise.all(all.map(kill))
    },
  }
}

/** Returns the settings of a stream by its address. */
export function readSettings(url: string): SinkSettings {
  const place = parseEventsUrl(url)
  if (typeof place === 'string') throw new Error(place)
  return { shown: url, place, keys: null }
}

/** Returns all messages of a stream, in order. */
export async function readStream(url: string): Promise<Stored[]> {
  const stream = await openNatsStream(readSettings(url))
  try {
    const { last } = await stream.look()
    const places = Array.from({ length: last }, (_, at) => at + 1)
    const found = await Promise.all(places.map((place) => stream.readFrom(place)))
    return found.filter((stored) => stored !== null)
  } finally {
    await stream.close()
  }
}
