import { existsSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { MINUTE, SECOND } from '../clock.ts'
import type { Log } from '../log.ts'
import { sha256Hex } from '../secrets.ts'
import { engineDirectory } from './engine-binary.ts'
import { type ReplicaKeys, type ReplicaPlace, replicaOf } from './place.ts'

/** A database that is replicated, by its name in the data directory. */
export const DATABASES = ['brokerbase.db', 'files.db'] as const
export type DatabaseName = (typeof DATABASES)[number]

/** Waits before the engine is started again, each longer than the one before. */
const PAUSES = [200, SECOND, 2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE]
/** Alive for so long it begins with the shortest wait again. */
const SETTLED = MINUTE
/** An engine that has not answered for so long is ended: it hangs. */
const HANGS_AFTER = MINUTE
/** How long is waited for what an engine that has ended said last, milliseconds. */
const LAST_WORDS = 100
/** How long the engine may take to end by itself. */
const LEAVE = 5 * SECOND

/** A path of a socket may have 107 bytes; beyond, it lies in the directory for temporary files. */
const socketPath = (dataDir: string): string => {
  const path = join(engineDirectory(dataDir), 'control')
  return Buffer.byteLength(path) <= 100 ? path : join(tmpdir(), `brokerbase-${sha256Hex(dataDir).slice(0, 16)}`)
}
const pidPath = (dataDir: string): string => join(engineDirectory(dataDir), 'pid')

/**
 * Writes what the engine is told beside it, with what opens the place (0600); answers the path. JSON is YAML as well.
 * Source: Litestream 0.5.18, cmd/litestream/main.go.
 */
export function writeEngineConfig(parts: {
  dataDir: string
  place: ReplicaPlace
  keys: ReplicaKeys
  lineage: string
  socket: string | null
  name: string
}): string {
  const { dataDir, place, keys, lineage, socket, name } = parts
  const directory = engineDirectory(dataDir)
  const keyFile = join(directory, 'ssh.key')
  const ssh = keys.ssh ? { keyFile, hostKey: keys.ssh.hostKey } : null
  if (keys.ssh) writeFileSync(keyFile, `${keys.ssh.privateKey.trim()}\n`, { mode: 0o600 })
  const config = {
    ...(socket && { socket: { enabled: true, path: socket, permissions: 0o600 } }),
    snapshot: { interval: '24h', retention: '168h' },
    'verify-compaction': true,
    logging: { level: 'info', type: 'json' },
    dbs: DATABASES.map((database) => ({
      path: join(dataDir, database),
      'meta-path': join(directory, database),
      'monitor-interval': '1s',
      'busy-timeout': '5s',
      replica: { ...replicaOf(place, lineage, database, ssh), 'sync-interval': '1s' },
    })),
  }
  const path = join(directory, name)
  writeFileSync(path, JSON.stringify(config, null, 1), { mode: 0o600 })
  return path
}

/** It calls this an error: it begins to compact a snapshot before the first one is there, and does so soon after. */
const NOTHING_YET = 'maximum transaction id required'

/** What it says of its own failure at its end, in plain words beside its log. */
const failureIn = (line: string): string | undefined => /^Error: (.+)/.exec(line)?.[1]?.slice(0, 500)

/** Its configuration, in the directory of the engine. */
const CONFIG = 'litestream.json'

/** The environment of the engine: what opens the bucket, and nothing of ours. */
export const engineEnvironment = ({ s3 }: ReplicaKeys): Record<string, string> =>
  s3 ? { LITESTREAM_ACCESS_KEY_ID: s3.accessKeyId, LITESTREAM_SECRET_ACCESS_KEY: s3.secretAccessKey } : {}

const Synced = Type.Object({ status: Type.String(), txid: Type.Integer(), replicated_txid: Type.Integer() })
const Info = Type.Object({ version: Type.String(), pid: Type.Integer() })

/** The engine cannot go on from what it keeps in the data directory, and does not mend that by itself. */
export class BrokenState extends Error {}

/**
 * Whether an answer says that a file which the engine keeps is damaged or gone, as after a power cut. Its own remedy
 * would be silent: it counts from 1 again, and brings nothing away until it has come past what the replica has.
 * Source: Litestream 0.5.18, replica.go and litestream.go, tried with damaged files.
 */
const tellsOfBrokenState = (answer: string, dataDir: string): boolean =>
  /ltx file corrupted|LTX header/.test(answer) ||
  (answer.includes(engineDirectory(dataDir)) && /checksum mismatch|no such file/.test(answer))

/** Calls of the engine's control socket: HTTP over a file that only this user may open. */
function createControl(dataDir: string) {
  const socket = socketPath(dataDir)
  const call = async <S extends TSchema>(
    shape: S,
    method: string,
    path: string,
    options: { body?: object; patience: number },
  ): Promise<Static<S>> => {
    const answer = await fetch(`http://engine${path}`, {
      unix: socket,
      method,
      signal: AbortSignal.timeout(options.patience),
      ...(options.body ? { body: JSON.stringify(options.body) } : {}),
    })
    const told: unknown = await answer.json()
    if (!answer.ok) {
      const said = JSON.stringify(told)
      const Failure = tellsOfBrokenState(said, dataDir) ? BrokenState : Error
      throw new Failure(`the engine answered ${answer.status}: ${said.slice(0, 300)}`)
    }
    return Value.Decode(shape, told)
  }
  return {
    info: () => call(Info, 'GET', '/info', { patience: 2 * SECOND }),
    sync: (path: string, patience: number) =>
      call(Synced, 'POST', '/sync', { body: { path, wait: true, timeout: Math.ceil(patience / SECOND) }, patience }),
  }
}

const isRunning = (pid: number, binary: RegExp): boolean => {
  try {
    return binary.test(readlinkSync(`/proc/${pid}/exe`))
  } catch {
    return false
  }
}

/**
 * Ends an engine that a server left behind when it was killed: two engines with one lineage would spoil it. To be
 * called with the lock of the data directory. An engine of another directory is not touched.
 */
export async function endLeftEngine(dataDir: string): Promise<void> {
  const socket = socketPath(dataDir)
  const pids = new Set<number>()
  if (existsSync(socket)) {
    const left = await createControl(dataDir)
      .info()
      .catch(() => null)
    if (left) pids.add(left.pid)
  }
  if (existsSync(pidPath(dataDir))) {
    const pid = Number(readFileSync(pidPath(dataDir), 'utf8'))
    // the number may belong to anybody by now
    if (Number.isInteger(pid) && pid > 1 && isRunning(pid, /litestream/)) pids.add(pid)
  }
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
      for (let tries = 0; tries < 100 && existsSync(`/proc/${pid}/fd`); tries += 1) await Bun.sleep(20)
    } catch {
      // it has ended by itself
    }
  }
  rmSync(socket, { force: true })
  rmSync(pidPath(dataDir), { force: true })
}

export type Engine = {
  start(): void
  /** Whether it runs and has answered. */
  isAlive(): boolean
  pid(): number | null
  /** How often it had to be started again. */
  restarts(): number
  /** What it ended with last; null where it never did. */
  lastEnd(): string | null
  /** Resolves once the replica holds everything that was committed to a database when this was called. */
  sync(database: DatabaseName, patience: number): Promise<void>
  /** Ends it; it syncs by itself first. */
  stop(): Promise<void>
}

/** Keeps an engine running over the databases of a directory. `changed` hears of each life and each end of it. */
export function superviseEngine(parts: {
  binary: string
  dataDir: string
  place: ReplicaPlace
  keys: ReplicaKeys
  lineage: string
  log: Log
  changed: (alive: boolean) => void
}): Engine {
  const { binary, dataDir, place, keys, lineage, log, changed } = parts
  const socket = socketPath(dataDir)
  const control = createControl(dataDir)
  let child: ReturnType<typeof spawn> | null = null
  let alive = false
  let stopping = false
  let restarts = 0
  let lastEnd: string | null = null
  let again: ReturnType<typeof setTimeout> | undefined
  let watch: ReturnType<typeof setInterval> | undefined

  const spawn = () =>
    Bun.spawn([binary, 'replicate', '-no-expand-env', '-config', join(engineDirectory(dataDir), CONFIG)], {
      env: engineEnvironment(keys),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })

  const tell = async (stream: ReadableStream<Uint8Array>): Promise<string | undefined> => {
    let failure: string | undefined
    const decoder = new TextDecoder()
    let rest = ''
    for await (const piece of stream) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        failure = failureIn(line) ?? failure
        // one bad disk is told of each second; what it is said once a minute is enough to mend it
        if (/"level":"(WARN|ERROR)"/.test(line) && !line.includes(NOTHING_YET)) warn(line)
        else log.debug({ engine: line.slice(0, 1000) }, 'the engine says')
      }
    }
    return failureIn(rest) ?? failure
  }
  let warnedAt = Number.NEGATIVE_INFINITY
  const warn = (line: string): void => {
    if (performance.now() - warnedAt < MINUTE) return
    warnedAt = performance.now()
    log.warn({ engine: line.slice(0, 1000) }, 'the engine warns')
  }

  const live = (is: boolean): void => {
    if (alive === is) return
    alive = is
    changed(is)
  }

  const begin = (pause = 0): void => {
    let one: ReturnType<typeof spawn> | undefined
    try {
      writeEngineConfig({ dataDir, place, keys, lineage, socket, name: CONFIG })
      rmSync(socket, { force: true })
      one = spawn()
      writeFileSync(pidPath(dataDir), String(one.pid), { mode: 0o600 })
    } catch (error) {
      // a full disk, or a program that may not be run: the next try may find it mended
      one?.kill('SIGKILL')
      lastEnd = error instanceof Error ? error.message : String(error)
      again = setTimeout(() => begin(Math.min(pause + 1, PAUSES.length - 1)), PAUSES[pause])
      return
    }
    attend(one, pause)
  }

  /** Hears what a new engine says, asks whether it lives, and begins another one when it ends. */
  const attend = (one: ReturnType<typeof spawn>, pause: number): void => {
    child = one
    const startedAt = performance.now()
    let answeredAt = startedAt
    let asking = false
    // often until it lives, then each second
    const ask = async (): Promise<void> => {
      if (asking || child !== one) return
      asking = true
      const info = await control.info().catch(() => null)
      asking = false
      if (child !== one) return
      if (info) {
        answeredAt = performance.now()
        if (alive) return
        live(true)
        clearInterval(watch)
        watch = setInterval(ask, SECOND)
      } else if (performance.now() - answeredAt > HANGS_AFTER) one.kill('SIGKILL')
    }
    clearInterval(watch)
    watch = setInterval(ask, 50)
    const heard = Promise.all([one.stdout, one.stderr].map((stream) => tell(stream).catch(() => undefined)))
    one.exited.then(async (code) => {
      // its last words may come after its end; something that it left behind may keep them open
      const said = await Promise.race([heard, Bun.sleep(LAST_WORDS)])
      if (child !== one) return
      child = null
      clearInterval(watch)
      const why = said?.find((failure) => failure !== undefined)
      lastEnd = `the engine ended with ${one.signalCode ?? code}${why === undefined ? '' : `: ${why}`}`
      live(false)
      if (stopping) return
      restarts += 1
      const isSettled = performance.now() - startedAt > SETTLED
      const next = isSettled ? 0 : Math.min(pause, PAUSES.length - 1)
      const facts = { code, signal: one.signalCode, pauseMs: PAUSES[next], ...(why !== undefined && { why }) }
      log.warn(facts, 'the engine ended and is started again')
      again = setTimeout(() => begin(next + 1), PAUSES[next])
    })
  }

  return {
    start: () => begin(),
    isAlive: () => alive,
    pid: () => child?.pid ?? null,
    restarts: () => restarts,
    lastEnd: () => lastEnd,
    sync: async (database, patience) => {
      const until = performance.now() + patience
      const path = join(dataDir, database)
      const { txid, replicated_txid } = await control.sync(path, patience)
      // what another call is bringing there at this moment is not counted in the answer to this one
      for (let reached = replicated_txid; reached < txid; ) {
        const left = until - performance.now()
        if (left <= 0) throw new Error(`the replica has ${reached} of ${txid}`)
        await Bun.sleep(5)
        reached = (await control.sync(path, left)).replicated_txid
      }
    },
    stop: async () => {
      stopping = true
      clearTimeout(again)
      clearInterval(watch)
      const last = child
      if (!last) return
      last.kill('SIGTERM')
      const ended = await Promise.race([last.exited.then(() => true), Bun.sleep(LEAVE).then(() => false)])
      if (!ended) last.kill('SIGKILL')
      await last.exited
      rmSync(pidPath(dataDir), { force: true })
      rmSync(socket, { force: true })
    },
  }
}
