import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findEngine } from '../../litestream.ts'
import { type Running, startServer } from '../commands/serve.ts'
import { type Config, loadConfig } from '../config.ts'
import { NO_LIMITS } from './executable.ts'
import { until } from './until.ts'

/** Writes until a write is accepted: a server that was stopped for seconds must first be sure of its place again. */
export const accepted = (write: () => Promise<unknown>): Promise<void> =>
  until('the write is accepted', () =>
    write().then(
      () => true,
      () => false,
    ),
  )

/** Returns a moment that the engine can tell from those before and after it: it keeps times in whole seconds. */
export async function momentBetween(): Promise<string> {
  await Bun.sleep(1_100)
  const moment = new Date().toISOString()
  await Bun.sleep(1_100)
  return moment
}

/** The path of Litestream on this machine; tests that need it are skipped if there is none. */
export const enginePath: string | undefined = findEngine()?.path
if (enginePath === undefined)
  process.stdout.write('No Litestream here: tests of the replication are skipped (bun run litestream).\n')

/** A place for data directories and a replica. */
export type Place = {
  root: string
  /** Returns the configuration of a server over a directory of this place. */
  config(name: string, settings?: Readonly<Record<string, string>>): Config
  /** Starts a server, and waits for its replica unless `settled` is false. */
  start(name: string, settings?: Readonly<Record<string, string>>, settled?: boolean): Promise<Running>
  /** Stops every server that still runs, and removes all files. */
  close(): Promise<void>
}

/** Makes a place for servers that replicate to a directory of it. */
export function makePlace(): Place {
  const root = mkdtempSync(join(tmpdir(), 'brokerbase-replica-'))
  const servers = new Set<Running>()
  const config: Place['config'] = (name, settings = {}) =>
    loadConfig(
      { 'data-dir': join(root, name), port: '0' },
      {
        env: {
          ...NO_LIMITS,
          BROKERBASE_LOG_LEVEL: 'error',
          BROKERBASE_REPLICA_URL: `file://${root}/replica`,
          BROKERBASE_LITESTREAM: enginePath ?? '',
          ...settings,
        },
      },
    )
  return {
    root,
    config,
    start: async (name, settings, settled = true) => {
      const running = await startServer(config(name, settings))
      const one: Running = {
        ...running,
        stop: async () => {
          if (servers.delete(one)) await running.stop()
        },
      }
      servers.add(one)
      if (settled) await running.platform.replication?.settled(60_000)
      return one
    },
    close: async () => {
      for (const server of [...servers]) await server.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
