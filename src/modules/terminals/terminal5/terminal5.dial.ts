import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { authoritiesWith, createCheck } from '../../../platform/egress.ts'
import { EgressError } from '../../../platform/egress-error.ts'
import { errorCode } from '../../../platform/egress-resolve.ts'
import { type FaultCode, TerminalFault } from '../contract/fault.ts'
import type { Certificate, TerminalAddress } from '../contract/terminal.ts'
import type { Environment } from './terminal5.environment.ts'

/** What is needed of an address to connect to it. */
export type Place = Pick<TerminalAddress, 'address' | 'trust' | 'certificate' | 'allowedNetworks'>

/** A connection whose server is the one that is meant. Nothing has been sent over it. */
export type Dialled = { socket: TLSSocket; host: string; port: number; authority: string }

const MOST_ADDRESSES = 3
const HTTPS = 443

type Target = { host: string; port: number; authority: string; addresses: string[] }

/** Resolves the name of an address and checks what it resolves to, each time anew. */
async function resolveTarget({ address, allowedNetworks }: Place, env: Environment): Promise<Target> {
  try {
    const check = createCheck({ allowedNetworks: [...allowedNetworks], resolve: env.resolve })
    const { url, host, addresses } = await check(address, env.limits.connectMs)
    if (url.protocol !== 'https:') throw new TerminalFault('blocked_address', { reason: 'not_https' })
    return { host, port: url.port === '' ? HTTPS : Number(url.port), authority: url.host, addresses }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new TerminalFault(error.code === 'dns_failed' ? 'not_resolved' : 'blocked_address', { reason: error.code })
  }
}

/** Returns what a failed handshake means: the codes of a certificate that is not trusted have one of these words. */
const codeFailure = (reason: string): FaultCode =>
  /CERT|SIGNED|ISSUER|VERIFY|ALTNAME|CHAIN/.test(reason) ? 'certificate_untrusted' : 'connection_failed'

/** Connects to one checked address. `isChecked`: chain and name must be right before anything is sent. */
function connectTo(
  { host, port }: Target,
  address: string,
  { isChecked, ca }: { isChecked: boolean; ca: string[] | undefined },
  { env, connectMs }: { env: Environment; connectMs: number },
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const names = isIP(host) === 0 ? { servername: host } : {}
    const trusted = ca === undefined ? {} : { ca }
    const socket = connect({ host: address, port, rejectUnauthorized: isChecked, ...names, ...trusted })
    const fail = (code: FaultCode, reason: string): void => {
      cancel()
      // a later error of the socket, for which nobody waits any more, must not end the process
      socket.on('error', () => {})
      socket.destroy()
      reject(new TerminalFault(code, { reason }))
    }
    const failBy = (error: Error): void => fail(codeFailure(errorCode(error)), errorCode(error))
    const failByEnd = (): void => fail('connection_failed', 'closed')
    const cancel = env.after(connectMs, () => fail('connect_timeout', 'connect_timeout'))
    socket.on('error', failBy).on('close', failByEnd)
    socket.once('secureConnect', () => {
      if (isChecked && !socket.authorized) return fail('certificate_untrusted', String(socket.authorizationError))
      cancel()
      socket.on('error', () => {})
      socket.off('error', failBy).off('close', failByEnd)
      resolve(socket)
    })
  })
}

/** Connects to the first of the checked addresses that takes a connection. */
async function connectAny(place: Place, isChecked: boolean, env: Environment) {
  const target = await resolveTarget(place, env)
  const ca = place.trust === 'authority' ? authoritiesOnly(place.certificate) : authoritiesWith(undefined)
  const candidates = target.addresses.slice(0, MOST_ADDRESSES)
  let last = new TerminalFault('not_resolved')
  for (const address of candidates) {
    const connectMs = env.limits.connectMs / candidates.length
    try {
      return { target, socket: await connectTo(target, address, { isChecked, ca }, { env, connectMs }) }
    } catch (error) {
      if (!(error instanceof TerminalFault)) throw error
      last = error
      if (error.code === 'certificate_untrusted') break
    }
  }
  throw last
}

const authoritiesOnly = (pem: string | null): string[] => {
  if (pem === null) throw new TerminalFault('certificate_untrusted', { reason: 'no_authority' })
  return [pem]
}

const plain = (fingerprint: string): string => fingerprint.replaceAll(':', '').toLowerCase()

/** Returns the SHA-256 of the certificate that a server presented; empty if it presented none. */
const readFingerprint = (socket: TLSSocket): string => plain(socket.getPeerCertificate().fingerprint256 ?? '')

/** Connects to a terminal whose certificate is trusted in the way that was chosen. */
export async function dial(place: Place, env: Environment): Promise<Dialled> {
  const isPinned = place.trust === 'pinned'
  const { target, socket } = await connectAny(place, !isPinned, env)
  if (isPinned) {
    const expected = plain(place.certificate ?? '')
    const presented = readFingerprint(socket)
    if (expected === '' || presented !== expected) {
      socket.destroy()
      throw new TerminalFault('certificate_changed', { expected, presented })
    }
  }
  return { socket, host: target.host, port: target.port, authority: target.authority }
}

const MOST_NAMES = 100
const MOST_LETTERS = 300
const clean = (text: string): string => text.replace(/\p{C}/gu, ' ').slice(0, MOST_LETTERS)

const readNames = (listed: string | undefined, common: unknown): string[] => {
  const names = (listed ?? '').split(', ').map((name) => name.replace(/^[A-Za-z ]+:/, ''))
  const all = typeof common === 'string' ? [...names, common] : names
  return [...new Set(all.filter((name) => name !== ''))].slice(0, MOST_NAMES).map(clean)
}

/** Returns the certificate that a terminal presents, trusted or not, and sends nothing. */
export async function readCertificate(place: Place, env: Environment): Promise<Certificate> {
  const { socket } = await connectAny({ ...place, trust: 'pinned' }, false, env)
  const { subject, issuer, subjectaltname, valid_to } = socket.getPeerCertificate()
  const fingerprint = readFingerprint(socket)
  socket.destroy()
  const end = Date.parse(valid_to)
  if (fingerprint === '') throw new TerminalFault('certificate_untrusted', { reason: 'none' })
  return {
    fingerprint,
    names: readNames(subjectaltname, subject?.CN),
    issuer: clean([issuer?.O, issuer?.CN].filter((part) => part !== undefined).join(', ')),
    validTo: Number.isNaN(end) ? 0 : Math.max(0, end),
  }
}
