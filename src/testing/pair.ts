import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, must, NO_LIMITS, PASSWORD, type Process, runCommand, signIn, startProcess } from './executable.ts'
import { freePort } from './pebble.ts'

const EMAIL = 'owner@pair.test'

/** One of the two machines of a pair: its directory, its port, its settings, and the server that runs there. */
export type Machine = {
  readonly cwd: string
  readonly data: string
  readonly url: string
  readonly env: Readonly<Record<string, string>>
  server: Process | undefined
}

/** Two machines of one firm; nothing runs on them yet. */
export type Pair = { readonly root: string; readonly primary: Machine; readonly standby: Machine }

function makeMachine(root: string, name: string, env: Readonly<Record<string, string>>): Machine {
  const cwd = join(root, name)
  mkdirSync(join(cwd, 'data'), { recursive: true })
  const url = `http://127.0.0.1:${freePort()}`
  const own = { ...NO_LIMITS, BROKERBASE_LOG_LEVEL: 'info', BROKERBASE_PUBLIC_URL: url, ...env }
  return { cwd, data: join(cwd, 'data'), url, env: own, server: undefined }
}

/** Founds a firm on one of two machines, which both have its key. `replicaUrl` is made of the root of the pair. */
export async function foundPair(
  replicaUrl: (root: string) => string,
  settings: { primary?: Record<string, string>; standby?: Record<string, string> } = {},
): Promise<Pair> {
  const root = mkdtempSync(join(tmpdir(), 'brokerbase-pair-'))
  const place = { BROKERBASE_REPLICA_URL: replicaUrl(root) }
  const [primary, standby] = [
    makeMachine(root, 'a', { ...place, ...settings.primary }),
    makeMachine(root, 'b', { ...place, ...settings.standby }),
  ]
  const made = await runCommand(['setup', '--tenant', 'Pair', '--email', EMAIL, '--password-stdin'], {
    cwd: primary.cwd,
    stdin: PASSWORD,
  })
  must(made.code === 0, `the firm was not founded: ${made.stderr}`)
  copyFileSync(join(primary.data, 'secret.key'), join(standby.data, 'secret.key'))
  return { root, primary, standby }
}

/** Starts a serving command on a machine, always on its own port. */
export async function startOn(machine: Machine, args: string[], env: Record<string, string> = {}): Promise<void> {
  const port = Number(new URL(machine.url).port)
  machine.server = await startProcess(args, { cwd: machine.cwd, env: { ...machine.env, ...env }, port })
}

/** Signs the owner of the firm in on a machine, and returns the headers of their requests. */
export async function signInOn({ url }: Machine): Promise<Record<string, string>> {
  return { cookie: await signIn(url, EMAIL, PASSWORD), origin: url }
}

/** A process with its command line. */
type Child = { pid: number; command: string }

/** Lists the children of a process. */
export function listChildren(pid: number): Child[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      // the name of the program, in parentheses, may have spaces
      const [, parent] = /\) \S (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
      if (Number(parent) !== pid) return []
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return [{ pid: Number(name), command }]
    } catch {
      return []
    }
  })
}

/** Returns the process of a machine's engine: the one that replicates, or the one that follows a database. */
export function findEngine({ server }: Machine, words: string): number {
  const found = listChildren(server?.pid ?? 0).find(({ command }) => command.includes(words))
  if (!found) throw new Error(`no engine runs with ${words}`)
  return found.pid
}

/** Kills the server of a machine, and its engines with it, as a loss of power does. */
export async function cutPower(machine: Machine): Promise<void> {
  const { server } = machine
  if (!server) return
  const children = listChildren(server.pid)
  const ended = server.kill('SIGKILL')
  for (const { pid } of children)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it has ended by itself
    }
  await ended
  machine.server = undefined
}

/** Reads figures of a machine by their names; those that it does not have are not numbers. */
export async function readFigures({ url }: Machine, names: readonly string[]): Promise<number[]> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return names.map((name) => Number(new RegExp(`^brokerbase_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN))
}

/** Waits until something holds; throws after this many seconds. Returns how many it took. */
export async function within(what: string, seconds: number, holds: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  while (!(await holds().catch(() => false))) {
    must(performance.now() - began < seconds * 1_000, `${what}: not within ${seconds} s`)
    await Bun.sleep(100)
  }
  return (performance.now() - began) / 1_000
}

/** Waits until a path of a machine has this status. */
export const untilStatus = (machine: Machine, path: string, status: number, seconds = 120): Promise<number> =>
  within(`${path} of ${machine.cwd} is ${status}`, seconds, async () => {
    const answer = await ask(machine.url, 'GET', path)
    return answer.status === status
  })

/** Ends what runs on both machines, and removes their files. */
export async function closePair({ root, primary, standby }: Pair): Promise<void> {
  await Promise.all([primary, standby].map(cutPower))
  rmSync(root, { recursive: true, force: true })
}
