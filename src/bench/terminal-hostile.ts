import { X509Certificate } from 'node:crypto'
import type { Effect } from '../modules/terminals/simulator/simulator.faults.ts'
import { createSimulator, type Simulator } from '../modules/terminals/simulator/simulator.ts'
import { systemClock } from '../platform/clock.ts'
import { atMost, type Figure } from './terminal.ts'
import { TerminalFirm, waitUntil } from './terminal-firm.ts'
import { watchServer } from './terminal-watch.ts'

const MIB = 1024 * 1024

/** Returns an answer that is whole as HTTP, whatever its body says. */
const writeAnswer = (body: string): Effect => ({
  do: 'garbage',
  text: `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  executed: true,
})
const DEEP = 2 * MIB
const DIGITS = 8 * MIB
const ATTACKS: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ['huge', { do: 'huge', bytes: 64 * MIB }],
  ['half', { do: 'truncate' }],
  ['headers', { do: 'endless', part: 'headers' }],
  ['body', { do: 'endless', part: 'body' }],
  ['deep', writeAnswer(`{"retcode":"0 Done","answer":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`)],
  ['digits', writeAnswer(`{"retcode":"0 Done","answer":[{"Login":"7","Balance":"${'9'.repeat(DIGITS)}"}]}`)],
  ['names', writeAnswer('{"retcode":"0 Done","answer":[{"Login":"<img src=x>","Group":"real\\\\<script>"}]}')],
  ['twice', { do: 'twice' }],
])
const HEALTHY = 'healthy'
/** What the server calls at least every minute. */
const CALLED = ['/api/user/*', '/api/position/*', '/api/deal/*']

type Server = { name: string; simulator: Simulator; stop(): Promise<void> }

/** Opens one small trading server in this process, and connects it. */
async function open(firm: TerminalFirm, name: string): Promise<Server> {
  const wanted = { accounts: 50, positions: 100, deals: 400 }
  const simulator = createSimulator({ time: systemClock, seed: 7, wanted })
  const { port, identity, stop } = await simulator.listen({ port: 0 })
  const fingerprint = new X509Certificate(identity.cert).fingerprint256
  await firm.connect(name, { address: `https://localhost:${port}`, fingerprint })
  return { name, simulator, stop }
}

/** Describes the rows that stand here of all servers but the healthy one. */
const describeRows = (firm: TerminalFirm): string =>
  JSON.stringify([
    firm.rows(
      `SELECT c.server, count(*), sum(l.balance), sum(l.credit), max(length(l.group_name)) FROM terminal_logins l
       JOIN terminal_connections c ON c.id = l.connection_id WHERE c.server <> ? GROUP BY 1`,
      [HEALTHY],
    ),
    firm.rows(
      `SELECT c.server, count(*), sum(d.revision) FROM terminal_deals d
       JOIN terminal_connections c ON c.id = d.connection_id WHERE c.server <> ? GROUP BY 1`,
      [HEALTHY],
    ),
    firm.rows('SELECT server, count(*), sum(profit), sum(volume) FROM positions WHERE server <> ? GROUP BY 1', [
      HEALTHY,
    ]),
  ])

const READ =
  'SELECT last_read_at AS n FROM terminal_health h JOIN terminal_connections c ON c.id = h.id WHERE server = ?'

/** Measures a server that reads eight hostile trading servers and a healthy one. */
export async function measureHostile(scratch: string, seconds: number): Promise<Figure[]> {
  const firm = await TerminalFirm.found(scratch, 10)
  const servers: Server[] = []
  try {
    for (const name of [HEALTHY, ...ATTACKS.keys()]) servers.push(await open(firm, name))
    for (const { name } of servers)
      await waitUntil(`the reading of ${name}`, () => firm.number(READ, [name]) > 0, 60_000)
    // each was read several times before
    const calm = watchServer(firm)
    await Bun.sleep(seconds * 1000)
    const quiet = calm().server
    const before = describeRows(firm)
    const [deals, readAt] = [firm.number('SELECT count(*) AS n FROM terminal_deals'), firm.number(READ, [HEALTHY])]
    for (const { name, simulator } of servers) {
      const effect = ATTACKS.get(name)
      if (effect !== undefined) for (const path of CALLED) simulator.faults.add({ path, times: 1_000_000, effect })
    }
    const attacked = watchServer(firm)
    const trading = setInterval(() => servers[0]?.simulator.step(), 500)
    await Bun.sleep(seconds * 1000)
    clearInterval(trading)
    const { server, child } = attacked()
    await Bun.sleep(15_000)
    const goesOn = firm.number(READ, [HEALTHY]) - readAt > (seconds * 1000) / 2
    const more = firm.number('SELECT count(*) AS n FROM terminal_deals') - deals
    const isSame = describeRows(firm) === before
    const failing = firm.rows<{ server: string; code: string | null }>(
      `SELECT server, error_code AS code FROM terminal_health h JOIN terminal_connections c ON c.id = h.id
       WHERE server <> ? ORDER BY 1`,
      [HEALTHY],
    )
    // of two answers the first one counts, and the connection ends
    const isRefused = failing.every(({ server: name, code }) => code !== null || name === 'twice')
    return [
      {
        label: 'hostile: rows of them',
        measured: isSame ? 'none' : 'some',
        goal: 'none',
        isGood: isSame,
      },
      {
        label: 'hostile: what their connections say',
        measured: failing.map((row) => `${row.server} ${row.code ?? 'read'}`).join(', '),
        goal: 'a fault each, but twice',
        isGood: isRefused,
      },
      atMost(`hostile: memory of the server (${quiet.toFixed(0)} MB before) +`, server - quiet, 16, 'MB'),
      atMost('hostile: memory of the child', child, 1024, 'MB'),
      {
        label: 'hostile: the healthy one meanwhile',
        measured: goesOn ? `goes on, ${more} deals` : 'stands still',
        goal: 'goes on',
        isGood: goesOn && more > 0,
      },
    ]
  } finally {
    await firm.stop('SIGTERM')
    for (const { stop } of servers) await stop()
  }
}
