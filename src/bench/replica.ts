import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { copyDataset, type Dataset } from './dataset.ts'
import { type LoadResult, runLoad } from './load-job.ts'
import { median, type Pace } from './rounds.ts'
import { residentMegabytes, type Server, startProduct, startStandby } from './servers.ts'
import { creates } from './workloads.ts'

const CONNECTIONS = 64

/** The times of durable creates beside a replica in a directory, with answers that wait for it or do not. */
export type ReplicaFigure = {
  name: string
  perSecond: number
  /** The ratio to the first server, measured in turn with it: the median of the rounds' ratios. */
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

type Side = { name: string; server: Server }

const untilReplicated = async (server: Server): Promise<void> => {
  while ((await metric(server, 'replica_running')) !== 1) await Bun.sleep(50)
}

/** Creates on each side in turn; the ratios are to the first side. */
async function compare(sides: readonly [Side, ...Side[]], set: Dataset, pace: Pace): Promise<ReplicaFigure[]> {
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
  const without = results.get(sides[0].name) ?? []
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
}

/** Starts a server on a copy of a data set, with a place of its own to replicate to; returns that too. */
async function startReplicating(set: Dataset, scratch: string, name: string, env: Record<string, string> = {}) {
  const place = { BROKERBASE_REPLICA_URL: `file://${join(scratch, `place-${name}`)}` }
  mkdirSync(join(scratch, `place-${name}`))
  const directory = copyDataset(set, join(scratch, `replica-${name}`))
  return { directory, place, server: await startProduct(directory, { ...place, ...env }) }
}

/** Measures creates in turn on servers without a replica, with one, and with answers that wait for it. */
export async function measureReplica(set: Dataset, scratch: string, pace: Pace): Promise<ReplicaFigure[]> {
  const none = await startProduct(copyDataset(set, join(scratch, 'replica-none')))
  const { server: off } = await startReplicating(set, scratch, 'off')
  const { server: all } = await startReplicating(set, scratch, 'all', { BROKERBASE_REPLICA_WAIT: 'all' })
  try {
    await Promise.all([off, all].map(untilReplicated))
    const waiting = { name: 'answers wait for it', server: all }
    return await compare([{ name: 'no replica', server: none }, { name: 'a replica', server: off }, waiting], set, pace)
  } finally {
    await Promise.all([none, off, all].map((server) => server.stop()))
  }
}

/** Measures creates in turn on servers with a replica, one of which a standby on this machine follows. */
export async function measureFollowed(set: Dataset, scratch: string, pace: Pace): Promise<ReplicaFigure[]> {
  const alone = await startReplicating(set, scratch, 'alone')
  const followed = await startReplicating(set, scratch, 'followed')
  const servers = [alone.server, followed.server]
  try {
    await Promise.all(servers.map(untilReplicated))
    const directory = join(scratch, 'standby')
    mkdirSync(directory, { mode: 0o700 })
    copyFileSync(join(followed.directory, 'secret.key'), join(directory, 'secret.key'))
    servers.push(await startStandby(directory, followed.place))
    return await compare(
      [
        { name: 'a replica', server: alone.server },
        { name: 'a standby follows it', server: followed.server },
      ],
      set,
      pace,
    )
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}
