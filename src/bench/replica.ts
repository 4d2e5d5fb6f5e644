import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { copyDataset, type Dataset } from './dataset.ts'
import { type LoadResult, runLoad } from './load-job.ts'
import { median, type Pace } from './rounds.ts'
import { residentMegabytes, type Server, startProduct } from './servers.ts'
import { creates } from './workloads.ts'

const CONNECTIONS = 64

/** The times of durable creates beside a replica in a directory, with answers that wait for it or do not. */
type ReplicaFigure = {
  name: string
  perSecond: number
  /** The ratio to a server without a replica, measured in turn with it: the median of the rounds' ratios. */
  ratio: number
  p50: number
  p99: number
  /** The memory of the replication engine; 0 if there is none. */
  engineMegabytes: number
  refused: string
}

/** Returns the pid of the engine that a server runs; undefined if it has no child. */
function findEnginePid(pid: number): number | undefined {
  const [child] = Bun.spawnSync(['pgrep', '-P', String(pid)])
    .stdout.toString()
    .trim()
    .split('\n')
  return child === undefined || child === '' ? undefined : Number(child)
}

const metric = async (server: Server, name: string): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()
  return Number(new RegExp(`^brokerbase_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
}

/** Measures creates in turn on servers without a replica, with one, and with answers that wait for it. */
export async function measureReplica(set: Dataset, scratch: string, pace: Pace): Promise<ReplicaFigure[]> {
  const start = (name: string, env: Record<string, string>) =>
    startProduct(copyDataset(set, join(scratch, `replica-${name}`)), env)
  const place = (name: string): Record<string, string> => {
    const directory = join(scratch, `place-${name}`)
    mkdirSync(directory)
    return { BROKERBASE_REPLICA_URL: `file://${directory}` }
  }
  const sides = [
    { name: 'no replica', server: await start('none', {}) },
    { name: 'a replica', server: await start('off', place('off')) },
    { name: 'answers wait for it', server: await start('all', { ...place('all'), BROKERBASE_REPLICA_WAIT: 'all' }) },
  ]
  try {
    for (const { server } of sides.slice(1)) while ((await metric(server, 'replica_running')) !== 1) await Bun.sleep(50)
    const results = new Map<string, LoadResult[]>(sides.map(({ name }) => [name, []]))
    let next = 1
    const run = async (server: Server, seconds: number): Promise<LoadResult> => {
      const headers = { Cookie: `crm_session=${set.token}`, Origin: `http://127.0.0.1:${server.port}` }
      const result = await runLoad({
        port: server.port,
        connections: CONNECTIONS,
        requests: creates(headers),
        seconds,
        warmupSeconds: 0.4,
        start: next,
      })
      next = result.next
      return result
    }
    for (const { server } of sides) await run(server, 1)
    for (let round = 0; round < pace.rounds; round += 1)
      for (const { name, server } of round % 2 === 0 ? sides : sides.toReversed())
        results.get(name)?.push(await run(server, pace.seconds))
    const without = results.get('no replica') ?? []
    return sides.map(({ name, server }) => {
      const own = results.get(name) ?? []
      const engine = findEnginePid(server.pid)
      return {
        name,
        perSecond: median(own.map(({ rps }) => rps)),
        ratio: median(own.map(({ rps }, round) => rps / (without[round]?.rps ?? Number.NaN))),
        p50: median(own.map(({ p50 }) => p50)),
        p99: median(own.map(({ p99 }) => p99)),
        engineMegabytes: engine === undefined ? 0 : residentMegabytes(engine),
        refused: [...new Set(own.flatMap(({ non2xx }) => Object.keys(non2xx)))].join(', '),
      }
    })
  } finally {
    await Promise.all(sides.map(({ server }) => server.stop()))
  }
}
