import { createApp, jobs } from '../app.ts'
import type { Config } from '../config.ts'
import { setupIsOpen } from '../modules/box/setup/setup.routes.ts'
import { noteAlone } from '../modules/box/system/status.jobs.ts'
import { closeStreams } from '../modules/overview/notifications/notifications.stream.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { lockDataDir } from '../platform/db/lock.ts'
import { clearUnfinishedCopies, finishSwap } from '../platform/db/swap-data.ts'
import { build } from '../platform/embedded.ts'
import { clearSpool } from '../platform/http/body/spool.ts'
import { randomToken } from '../platform/ids.ts'
import { createScheduler, type Scheduler } from '../platform/jobs/scheduler.ts'
import { createLog, type Log } from '../platform/log.ts'
import { openPlatform, type Platform } from '../platform/platform.ts'
import { internal, problemBody } from '../platform/problem.ts'
import { watchProcess } from '../platform/process-metrics.ts'
import type { Role } from '../platform/role.ts'
import { type Listeners, openListeners } from '../platform/tls/listeners.ts'
import { openPlainDoor } from '../platform/tls/plain-door.ts'
import { openTls, type Tls } from '../platform/tls/tls.ts'
import { upgradeIfDue } from './upgrade.ts'

/** A running server. `stop` finishes requests, commits, stops jobs and closes the databases. */
export type Running = {
  url: string
  platform: Platform
  setupToken: string
  /** Reads the certificate again, as SIGHUP does. */
  renewTls(): Promise<void>
  /** The port that redirects to https; null without one. */
  httpPort: number | null
  stop(): Promise<void>
}

/** Requests and jobs have this time to end; a slow upload or a receiver that hangs would take for ever. */
const DRAIN_MS = 8_000
/** A server whose answers wait for the replica starts its jobs once replication runs, or after this time. */
const SETTLE_MS = 15_000

/** Prepares the data directory for a server: removes what a crash left, and upgrades the data if due. */
async function makeReady(config: Config, clock: Clock, log: Log): Promise<void> {
  // an interrupted restore is completed
  finishSwap(config.dataDir)
  clearUnfinishedCopies(config.dataDir)
  clearSpool(config.dataDir)
  await upgradeIfDue({ config, clock, log })
}

/** The open ports: the listeners of the application, and plain HTTP and TLS if configured. */
type Doors = { listeners: Listeners; tls: Tls | null; plainDoor: ReturnType<typeof openPlainDoor> | null }

/** Opens the ports. Throws if one is taken, and then leaves none open. */
export async function openDoors(platform: Platform, app: ReturnType<typeof createApp>): Promise<Doors> {
  const { config, log } = platform
  const tls = config.tls ? openTls(platform, config.tls) : null
  if (tls) platform.tls.state = tls.state
  const httpPort = config.tls?.httpPort ?? null
  const plainDoor = tls && httpPort !== null ? openPlainDoor(platform, tls.challenges, httpPort) : null
  try {
    const listeners = openListeners(app, {
      port: config.port,
      hostname: config.host,
      certificate: tls?.current() ?? null,
      // called if the error handler of the routes fails itself
      error: (error) => {
        log.error({ err: error }, 'a request failed beyond its error handler')
        return new Response(JSON.stringify(problemBody(internal(), 'none')), {
          status: 500,
          headers: { 'content-type': 'application/problem+json' },
        })
      },
    })
    return { listeners, tls, plainDoor }
  } catch (error) {
    await plainDoor?.stop()
    throw error
  }
}

export const buildServerUrl = ({ host }: Config, { tls, listeners }: Doors): string => {
  const isAnywhere = host === '0.0.0.0' || host === '127.0.0.1'
  return `${tls ? 'https' : 'http'}://${isAnywhere ? 'localhost' : host}:${listeners.port}`
}

/** Prints where the first firm can be created, if there is none yet. */
function announceSetup(platform: Platform, url: string, setupToken: string): void {
  if (!setupIsOpen(platform)) return
  const { publicUrl } = platform.config
  // a configured public address is used by people on other machines
  const address = new URL(publicUrl).hostname === 'localhost' ? url : publicUrl
  process.stdout.write(
    `\nFirst run: open ${address}/admin/setup?token=${setupToken}\nThe token works once, for the first firm and its owner.\n\n`,
  )
}

/** Stops a server: requests and jobs within their time, then the databases, then the replica. */
export async function stopServer(platform: Platform, doors: Doors, scheduler: Scheduler): Promise<void> {
  doors.tls?.stop()
  const drained = Promise.all([doors.listeners.stop(), doors.plainDoor?.stop()])
  closeStreams(platform.capabilities)
  // an unfinished job is taken up again when its lease ends
  await Promise.race([Promise.all([drained, scheduler.stop(), platform.sink?.stop()]), Bun.sleep(DRAIN_MS)])
  await platform.close()
  // this comes last, when everything is committed and the log still exists
  await platform.replication?.stop()
}

/**
 * Runs the jobs and sends events while this server writes, and ends that and the streams for good if another server
 * took over.
 */
function whilePrimary({ roles, capabilities, sink }: Platform, scheduler: Scheduler): { begin(): void } {
  let mayBegin = false
  let begun = false
  const look = ({ name }: Role): void => {
    if (name === 'primary' && mayBegin) sink?.start()
    else sink?.pause()
    if (name === 'primary' && mayBegin && !begun) {
      begun = true
      scheduler.start()
    }
    if (name !== 'replaced') return
    begun = true
    void scheduler.stop()
    closeStreams(capabilities)
  }
  roles.onChange(look)
  return {
    begin: () => {
      mayBegin = true
      look(roles.current())
    },
  }
}

/**
 * Opens the data directory and listens; `prepare` runs before any job, `clock` is for tests. Throws if the port is
 * taken or the directory cannot be used.
 */
export async function startServer(
  config: Config,
  prepare: (platform: Platform) => Promise<void> = async () => {},
  clock: Clock = systemClock,
): Promise<Running> {
  const log = createLog({ level: config.logLevel })
  const lock = lockDataDir(config.dataDir)
  let platform: Platform
  try {
    await makeReady(config, clock, log)
    platform = openPlatform({ config, clock, log })
  } catch (error) {
    lock.close()
    throw error
  }
  const setupToken = randomToken(18)
  const scheduler = createScheduler(platform, jobs)
  const app = createApp(platform, { setupToken, scheduler })
  // from the first request on, answers that wait for the replica are refused until it is reached
  if (platform.replication) platform.writer.waitFor(platform.replication.gate)
  if (platform.replication) platform.roles.become({ name: 'starting', by: null })
  const doors = await openDoors(platform, app).catch(async (error: unknown) => {
    await platform.close()
    lock.close()
    throw error
  })
  platform.replication?.start()
  const work = whilePrimary(platform, scheduler)
  if (platform.replication) await platform.replication.decided
  // until then, jobs that write would be refused
  if (config.replica && config.replica.wait !== 'off') await platform.replication?.settled(SETTLE_MS)
  if (platform.roles.current().name === 'primary') {
    if (config.alone && platform.replication?.seen().state !== 'running') await noteAlone(platform)
    await prepare(platform)
  }
  work.begin()
  doors.tls?.start(doors.listeners.swap)
  const endWatch = watchProcess(platform.metrics)
  const url = buildServerUrl(config, doors)
  log.info({ url, dataDir: config.dataDir, ...build() }, 'listening')
  announceSetup(platform, url, setupToken)
  return {
    url,
    platform,
    setupToken,
    renewTls: async () => doors.tls?.lookNow(),
    httpPort: doors.plainDoor?.port ?? null,
    stop: async () => {
      endWatch()
      await stopServer(platform, doors, scheduler)
      lock.close()
      log.info('stopped')
    },
  }
}

/** Serves until SIGTERM or SIGINT, then stops and exits 0. SIGHUP reads the certificate again. */
export async function serve(config: Config, prepare?: (platform: Platform) => Promise<void>): Promise<Running> {
  const running = await startServer(config, prepare)
  stopWhenTold(config, running)
  return running
}

/** Stops a server at SIGTERM or SIGINT and exits 0; SIGHUP makes it read its certificate again. */
export function stopWhenTold(config: Config, running: Pick<Running, 'stop' | 'renewTls'>): void {
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`could not stop cleanly: ${error instanceof Error ? error.message : error}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // without TLS a closed terminal ends the server, as usual
  if (config.tls) process.on('SIGHUP', () => void running.renewTls())
}
