import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { say } from '../words/say.ts'
import { EgressError } from './egress-error.ts'

export type Resolve = (host: string) => Promise<string[]>

export const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'

export const resolveHost = async (host: string, resolve: Resolve): Promise<string[]> => {
  const name = host.replace(/\.$/, '').toLowerCase()
  if (isIP(name) !== 0) return [name]
  // loopback by definition, whatever the resolver says
  if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1']
  let addresses: string[]
  try {
    addresses = await resolve(host)
  } catch {
    addresses = []
  }
  if (addresses.length === 0) throw new EgressError('dns_failed', say('egress.error.no_address'))
  // IPv4 first, since many small servers have an IPv6 resolver and no IPv6 route
  return [...new Set(addresses)].sort((a, b) => isIP(a) - isIP(b))
}

export const within = async <T>(work: Promise<T>, ms: number, error: EgressError): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(error), Math.max(0, ms))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
