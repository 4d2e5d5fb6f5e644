import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LoadResult, runLoad, steadyGets } from './load-job.ts'
import { residentMegabytes } from './servers.ts'
import type { TerminalFirm } from './terminal-firm.ts'

const readProc = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // it has ended
    return ''
  }
}

/** Returns the processes that a process started, by the process table. */
export const findChildren = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readProc(name, 'stat').split(') ')[1]?.split(' ')[1] === String(parent))
    .map(Number)

const FRAME_BYTES = 4096 + 24
const LOOK_AT_LOG_MS = 20
/** The place of the number of frames in the index of the write-ahead log. */
const FRAMES_AT = 16

/** How large a server and its child became at most (MB), and how much the server wrote to its log (KB). */
type Watched = { server: number; child: number; logKilobytes: number; seconds: number }

/** Watches the memory of a server and its child, and its write-ahead log, until the returned function is called. */
export function watchServer({ directory, pid }: TerminalFirm): () => Watched {
  const began = performance.now()
  const most = { server: 0, child: 0 }
  const look = (): void => {
    most.server = Math.max(most.server, residentMegabytes(pid))
    for (const child of findChildren(pid))
      if (readProc(String(child), 'cmdline').includes('run-terminals'))
        most.child = Math.max(most.child, residentMegabytes(child))
  }
  const countFrames = (): number => {
    try {
      return readFileSync(join(directory, 'brokerbase.db-shm')).readUInt32LE(FRAMES_AT)
    } catch {
      return 0
    }
  }
  let before = countFrames()
  let frames = 0
  // the log begins anew after a checkpoint
  const lookAtLog = (): void => {
    const now = countFrames()
    frames += now >= before ? now - before : now
    before = now
  }
  const timers = [setInterval(look, 1000), setInterval(lookAtLog, LOOK_AT_LOG_MS)]
  return () => {
    for (const timer of timers) clearInterval(timer)
    look()
    lookAtLog()
    const seconds = (performance.now() - began) / 1000
    return { ...most, logKilobytes: (frames * FRAME_BYTES) / 1000, seconds }
  }
}

const CLIENTS = 50
const GETS_A_SECOND = 500
const WRITERS = 4
const WRITES_A_SECOND = 20

const refusals = ({ non2xx, errors }: LoadResult): string[] => [
  ...Object.keys(non2xx),
  ...(errors > 0 ? [`${errors} broken connections`] : []),
]
const check = (result: LoadResult): number => {
  if (refusals(result).length > 0) throw new Error(`requests were answered with ${refusals(result).join(', ')}`)
  return result.p99
}

/** Returns the 99th percentile of getting one client, 500 times a second (ms). */
export async function getOne(firm: TerminalFirm, seconds: number): Promise<number> {
  const traderIds = firm.rows<{ id: string }>('SELECT id FROM traders ORDER BY id LIMIT 500').map(({ id }) => id)
  const pace = { port: firm.port, seconds, everyMs: 1000 / GETS_A_SECOND, clients: CLIENTS }
  return check(await steadyGets({ traderIds, token: firm.token }, pace))
}

let start = 1
/** Returns the 99th percentile of creating a client, 20 times a second (ms). */
export async function createOne({ port, token }: TerminalFirm, seconds: number): Promise<number> {
  const headers = { Cookie: `crm_session=${token}`, Origin: `http://127.0.0.1:${port}` }
  const body = '{"email":"n{n}@example.com","firstName":"Anna","lastName":"Bench","country":"DE"}'
  const result = await runLoad({
    port,
    connections: WRITERS,
    requests: [{ method: 'POST', path: '/v1/traders', headers, body }],
    seconds,
    warmupSeconds: 0.5,
    everyMs: (1000 / WRITES_A_SECOND) * WRITERS,
    start,
  })
  start = result.next
  return check(result)
}
