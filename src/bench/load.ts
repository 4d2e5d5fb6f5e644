/**
 * Generates load: reads a `LoadJob` as JSON from standard input, prints a `LoadResult`. It calls 127.0.0.1 only, for a
 * bounded time.
 */
import { createFramer, type Framer } from './framing.ts'
import { type LoadJob, type LoadRequest, type LoadResult, seeded } from './load-job.ts'

const MAX_SECONDS = 120
/** The histogram of latencies has steps of 1 µs up to 4 s; slower answers count as 4 s. */
const STEPS_PER_MS = 1000
const STEPS = 4000 * STEPS_PER_MS

type Prepared = { fixed: Buffer } | { parts: readonly string[] }
type Connection = { framer: Framer; sentAt: number }

function prepare(request: LoadRequest, port: number): Prepared {
  const { method, path, headers = {}, body } = request
  const lines = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined) {
    const length = Buffer.byteLength(body.replaceAll('{n}', '0000000000'))
    lines.push('Content-Type: application/json', `Content-Length: ${length}`)
  }
  const text = `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
  const parts = text.split('{n}')
  return parts.length === 1 ? { fixed: Buffer.from(text) } : { parts }
}

async function run(job: LoadJob): Promise<LoadResult> {
  const prepared = job.requests.map((request) => prepare(request, job.port))
  const random = seeded(job.start ?? 1)
  const histogram = new Uint32Array(STEPS + 1)
  const non2xx: Record<string, number> = {}
  let number = job.start ?? 0
  let requests = 0
  let bytes = 0
  let errors = 0
  let max = 0
  let measuring = false
  let over = false
  let finish = (): void => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })

  const next = (): Buffer | string => {
    const choice = prepared[Math.floor(random() * prepared.length)]
    if (!choice) throw new Error('a job needs a request')
    if ('fixed' in choice) return choice.fixed
    const text = String(number).padStart(10, '0')
    number += 1
    return choice.parts.join(text)
  }
  const send = (socket: Bun.Socket<Connection>, due = performance.now()): void => {
    socket.data.sentAt = due
    socket.write(next())
  }
  const sendInTurn = (socket: Bun.Socket<Connection>): void => {
    if (job.everyMs === undefined) {
      send(socket)
      return
    }
    const due = socket.data.sentAt + job.everyMs
    const wait = due - performance.now()
    // the latency of a late request counts from when it was due; otherwise a stall would be measured only once
    if (wait <= 0) send(socket, due)
    else setTimeout(() => send(socket), wait)
  }
  const record = (status: number, since: number): void => {
    if (!measuring) return
    requests += 1
    const taken = performance.now() - since
    max = Math.max(max, taken)
    const slot = Math.min(Math.round(taken * STEPS_PER_MS), STEPS)
    histogram[slot] = (histogram[slot] ?? 0) + 1
    if (status < 200 || status > 299) non2xx[status] = (non2xx[status] ?? 0) + 1
    if (requests === job.count) finish()
  }

  const connect = (): Promise<unknown> =>
    Bun.connect<Connection>({
      hostname: '127.0.0.1',
      port: job.port,
      data: { framer: createFramer(), sentAt: 0 },
      socket: {
        open: (socket) => send(socket),
        data: (socket, chunk) => {
          bytes += chunk.length
          const status = socket.data.framer.push(chunk)
          if (status === 0) return
          record(status, socket.data.sentAt)
          if (!over) sendInTurn(socket)
        },
        close: () => {
          if (over) return
          errors += 1
          if (errors > 1000) return finish()
          connect().catch(() => finish())
        },
        error: () => {},
      },
    })

  await Promise.all(Array.from({ length: job.connections }, connect))
  await Bun.sleep(job.warmupSeconds * 1000)
  bytes = 0
  const cpuAt = process.cpuUsage()
  const startedAt = performance.now()
  measuring = true
  setTimeout(finish, Math.min(job.seconds, MAX_SECONDS) * 1000)
  await finished
  measuring = false
  over = true
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = process.cpuUsage(cpuAt)

  const percentile = (share: number): number => {
    let left = requests * share
    for (let step = 0; step <= STEPS; step += 1) {
      left -= histogram[step] ?? 0
      if (left <= 0) return step / STEPS_PER_MS
    }
    return STEPS / STEPS_PER_MS
  }
  return {
    requests,
    seconds,
    rps: requests / seconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
    max,
    bytes,
    non2xx,
    errors,
    cpu: (cpu.user + cpu.system) / 1e6 / seconds,
    next: number,
  }
}

const result = await run(JSON.parse(await Bun.stdin.text()))
// leaving at once could lose what a full pipe has not taken yet
await Bun.write(Bun.stdout, `${JSON.stringify(result)}\n`)
process.exit(0)
