import * as http from 'node:http'
import * as https from 'node:https'
import { text } from 'node:stream/consumers'
import type { Config } from '../config.ts'

/** A server must be ready within this time, since supervisors ask every few seconds. */
const PATIENCE_MS = 4_000

/** Returns the address of a configured server on its own machine. */
export function localAddress({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * Asks the server on this machine; `fetch` would use the proxy of the environment. Rejects if no answer comes in time.
 */
export function askServer(
  config: Pick<Config, 'host' | 'port' | 'tls'>,
  path: string,
  { patience, headers = {} }: { patience: number; headers?: Record<string, string> },
): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const url = localAddress(config) + path
  const options = { agent: false, headers, signal: AbortSignal.timeout(patience) }
  const take = (answer: http.IncomingMessage): void =>
    void text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject)
  // the certificate is for the public name, not for this address
  const request = config.tls
    ? https.get(url, { ...options, rejectUnauthorized: false }, take)
    : http.get(url, options, take)
  request.on('error', reject)
  return promise
}

/** Returns the `detail` of a refusal; undefined if another program answered. */
function readDetail(body: string): string | undefined {
  try {
    const problem: unknown = JSON.parse(body)
    const isTold = typeof problem === 'object' && problem !== null && 'detail' in problem
    return isTold && typeof problem.detail === 'string' ? problem.detail : undefined
  } catch {
    return undefined
  }
}

/**
 * Asks the server on this machine whether it is ready, for containers without another program to ask with. Returns the
 * text to print; throws a sentence if it is not ready, or does not answer.
 */
export async function health(config: Pick<Config, 'host' | 'port' | 'tls'>): Promise<string> {
  const url = `${localAddress(config)}/ready`
  const answer = await askServer(config, '/ready', { patience: PATIENCE_MS }).catch((cause: unknown) => {
    throw new Error(`Nobody answers at ${url}.`, { cause })
  })
  if (answer.status === 200) return 'ready\n'
  throw new Error(readDetail(answer.body) ?? `${url} answered ${answer.status}.`)
}
