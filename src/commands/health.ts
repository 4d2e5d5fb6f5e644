import type { Config } from '../config.ts'

/** How long a server may take to say that it is ready: supervisors ask every few seconds. */
const PATIENCE_MS = 4_000

/** Where the server of a configuration is asked on its own machine. */
export function localAddress({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * Asks the server on this machine whether it is ready, for containers without another program to ask with. Answers
 * what to print; throws in words where it is not, or nobody answers.
 */
export async function health(config: Pick<Config, 'host' | 'port' | 'tls'>): Promise<string> {
  const url = `${localAddress(config)}/ready`
  let answer: Response
  try {
    // the certificate is for the public name, not for the address that is asked here
    const ours = config.tls ? { tls: { rejectUnauthorized: false } } : {}
    answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), ...ours })
  } catch (cause) {
    throw new Error(`Nobody answers at ${url}.`, { cause })
  }
  if (answer.ok) return 'ready\n'
  const { detail }: { detail?: string } = await answer.json().catch(() => ({}))
  throw new Error(detail ?? `${url} answered ${answer.status}.`)
}
