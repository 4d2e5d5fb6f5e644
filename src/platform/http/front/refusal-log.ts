import { toNetwork } from '../../access/networks.ts'
import type { Principal } from '../../access/principal.ts'
import { HOUR, MINUTE } from '../../clock.ts'
import type { Platform } from '../../platform.ts'
import type { Problem } from '../../problem.ts'
import { readUrlPath } from '../body/request-line.ts'
import { isProbe } from './probes.ts'

/** The most lines in a minute. Further refusals are counted in one line, since a flood must not fill the disk. */
const LINES_A_MINUTE = 60
/** The most peers remembered that send X-Forwarded-For without being trusted. */
const MAX_PEERS = 1000

type Refused = { requestId: string; ip: string; principal: Principal; tenantId: string }

/**
 * Returns whether a refusal is worth a line: the server failed, or somebody may be probing. A visitor who is asked to
 * sign in is not logged, nor is a sign-in, which is logged elsewhere.
 */
const isTrace = ({ status, code }: Problem, presented: boolean): boolean =>
  status >= 500 ||
  status === 403 ||
  (status === 401 && !code.startsWith('auth.') && (presented || code !== 'unauthorized'))

/** Returns who was refused what, without secrets: the path lacks its query. */
const toLogLine = (problem: Problem, { method, url }: Request, { principal, tenantId, ip, requestId }: Refused) => ({
  status: problem.status,
  reason: problem.code,
  detail: problem.message,
  caller: principal.kind === 'anonymous' ? 'anonymous' : `${principal.kind} ${principal.id}`,
  ...(tenantId === '' ? {} : { tenantId }),
  ip,
  method,
  path: readUrlPath(url).slice(0, 200),
  requestId,
})

type Peers = Map<string, number>
/** Returns whether a peer was reported within the hour; if not, notes that it is reported now. */
function wasTold(peers: Peers, peer: string, now: number): boolean {
  const network = toNetwork(peer)
  const told = peers.get(network)
  if (told !== undefined && now - told < HOUR && now >= told) return true
  const [oldest] = peers.keys()
  if (oldest !== undefined && peers.size >= MAX_PEERS) peers.delete(oldest)
  peers.delete(network)
  peers.set(network, now)
  return false
}

/** Logs who was refused what, without secrets: the path lacks its query. */
export function createRefusalLog({ log, clock }: Pick<Platform, 'log' | 'clock'>) {
  let since = 0
  let lines = 0
  let dropped = 0
  const peers: Peers = new Map()
  let summary: Timer | undefined

  const tellDropped = (): void => {
    clearTimeout(summary)
    summary = undefined
    if (dropped > 0) log.warn({ refusals: dropped, since: new Date(since).toISOString() }, 'more requests were refused')
    dropped = 0
  }

  /** Whether one more line may be written in this minute. */
  const mayWrite = (now: number): boolean => {
    if (now - since >= MINUTE || now < since) {
      tellDropped()
      since = now
      lines = 0
    }
    lines += 1
    return lines <= LINES_A_MINUTE
  }

  return {
    note: (problem: Problem, request: Request, caller: Refused): void => {
      const { headers } = request
      // a load balancer asks each second, and a standby or a server that starts says no each time
      if (problem.status >= 500 && isProbe(request)) return
      const presented = headers.has('x-api-key') || (headers.get('cookie') ?? '').includes('crm_session=')
      if (!isTrace(problem, presented)) return
      if (!mayWrite(clock.now())) {
        dropped += 1
        summary ??= setTimeout(tellDropped, MINUTE).unref()
        return
      }
      log.warn(toLogLine(problem, request, caller), 'request refused')
    },
    /** Reports an untrusted proxy in front of us once an hour: everybody behind it looks like one caller. */
    noteProxy: (peer: string): void => {
      const now = clock.now()
      if (wasTold(peers, peer, now) || !mayWrite(now)) return
      log.warn(
        { peer },
        'X-Forwarded-For comes from a peer that is no trusted proxy and is not believed; if it is your proxy, name its network in BROKERBASE_TRUSTED_PROXIES, or everybody behind it counts as one caller',
      )
    },
  }
}
