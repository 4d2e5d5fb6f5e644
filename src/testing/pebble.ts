import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeKey, selfSigned } from '../platform/tls/der.ts'

/**
 * Finds a free port of this machine. It is outside the range that the system assigns, from which other tests take ports
 * all the time, and is chosen from so many that two tests rarely choose the same.
 */
export function freePort(): number {
  const port = 10_000 + Math.floor(Math.random() * 20_000)
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data: () => {} } }).stop(true)
    return port
  } catch {
    return freePort()
  }
}

/** A certificate authority for tests, which checks challenges on `httpPort` of the name's address. */
export type Pebble = {
  directory: string
  /** PEM of the certificate of its own port. */
  authority: string
  /** PEM of the root with which it issues certificates. */
  root(): Promise<string>
  /** Sets the address of a name, which is 127.0.0.1 otherwise. */
  resolve(host: string, address: string): Promise<void>
  stop(): void
}

const PROGRAMS = ['pebble', 'pebble-challtestsrv'].map((name) => Bun.which(name))

/** Whether this machine has the programs (Debian's package `pebble`). */
export const hasPebble = PROGRAMS.every((path) => path !== null)

/** Starts Pebble with its own name server; of a hundred good nonces it refuses `nonces`. */
export async function startPebble(
  folder: string,
  options: { httpPort: number; lifeSeconds: number; nonces: number },
): Promise<Pebble> {
  const [pebble, nameServer] = PROGRAMS
  if (!pebble || !nameServer) throw new Error('there is no Pebble here')
  mkdirSync(folder, { recursive: true })
  const key = makeKey()
  const authority = selfSigned(['localhost'], key, { from: Date.now() - 86_400_000, days: 30 })
  const [listen, management, dns, control] = [freePort(), freePort(), freePort(), freePort()]
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${listen}`,
      managementListenAddress: `127.0.0.1:${management}`,
      certificate: file('pebble.crt', authority),
      privateKey: file('pebble.key', key),
      httpPort: options.httpPort,
      tlsPort: freePort(),
      certificateValidityPeriod: options.lifeSeconds,
    },
  }
  const none = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '']
  const children = [
    Bun.spawn([nameServer, '-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${control}`, ...none], {
      stdout: 'ignore',
      stderr: 'ignore',
    }),
    Bun.spawn([pebble, '-config', file('pebble.json', JSON.stringify(config)), '-dnsserver', `127.0.0.1:${dns}`], {
      env: { PEBBLE_WFE_NONCEREJECT: String(options.nonces), PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' },
      stdout: Bun.file(join(folder, 'pebble.log')),
      stderr: 'ignore',
    }),
  ]
  const stop = () => {
    for (const child of children) child.kill()
  }
  process.on('exit', stop)
  const ask = (url: string, init: RequestInit = {}) => fetch(url, { ...init, tls: { ca: authority } })
  const directory = `https://localhost:${listen}/dir`
  for (let tries = 1; ; tries += 1) {
    const answer = await ask(directory).catch(() => null)
    if (answer?.ok) break
    if (tries > 100) throw new Error('Pebble does not answer')
    await Bun.sleep(50)
  }
  return {
    directory,
    authority,
    root: async () => (await ask(`https://localhost:${management}/roots/0`)).text(),
    resolve: async (host, address) => {
      const body = JSON.stringify({ host: `${host}.`, addresses: [address] })
      const { ok } = await fetch(`http://127.0.0.1:${control}/add-a`, { method: 'POST', body })
      if (!ok) throw new Error(`the name server did not take ${host}`)
    },
    stop,
  }
}
