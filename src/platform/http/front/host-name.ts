import type { Config } from '../../../config.ts'
import type { Directory } from '../../db/directory.ts'

const MAX_PORT = 65_535

/** Returns a Host header's name without its port, with brackets for IPv6; empty if the port is impossible. */
export function hostName(host: string): string {
  const [, name = '', port = '0'] = /^(.*?)(?::(\d+))?$/.exec(host.toLowerCase()) ?? []
  return Number(port) <= MAX_PORT ? name : ''
}

/** Returns whether a Host header names this server: its public address, a firm's domain or a configured host. */
export function createHosts(
  { publicUrl, allowedHosts }: Pick<Config, 'publicUrl' | 'allowedHosts'>,
  directory: Pick<Directory, 'idOfDomain'>,
): (header: string | null) => boolean {
  const hosts = new Set([
    'localhost',
    '127.0.0.1',
    '[::1]',
    hostName(new URL(publicUrl).host),
    ...allowedHosts.map(hostName),
  ])
  return (header) => {
    const name = hostName(header ?? '')
    return name !== '' && (hosts.has(name) || directory.idOfDomain(name) !== undefined)
  }
}
