import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect as dialTls } from 'node:tls'
import type { Config } from '../../config.ts'
import { DAY, SECOND } from '../../platform/clock.ts'
import { createMailTransport } from '../../platform/mail.ts'
import { covers, endsSoon, readCertificate } from '../../platform/tls/certificate.ts'
import { askServer, health, localAddress } from '../health.ts'
import { isOfStandby } from '../standby-directory.ts'
import { events } from './events.ts'
import { type Check, fail, ok, warn } from './finding.ts'
import { replica } from './replica.ts'

const PATIENCE = 3 * SECOND

const isServing = (config: Config): Promise<boolean> =>
  askServer(config, '/health', { patience: PATIENCE }).then(
    ({ status }) => status === 200,
    () => false,
  )

const server: Check = {
  name: 'server',
  look: async ({ config }) => {
    // what a standby says of itself is in its own line
    if (isOfStandby(config.dataDir)) return []
    if (!(await isServing(config)))
      return [warn('server', `nobody answers at ${localAddress(config)}`, 'brokerbase serve, where it should run')]
    try {
      await health(config)
      return [ok('server', `ready at ${localAddress(config)}`)]
    } catch (error) {
      return [fail('server', error instanceof Error ? error.message : String(error), 'see its log')]
    }
  },
}

const mail: Check = {
  name: 'mail',
  look: async ({ config: { smtp } }) => {
    if (!smtp)
      return [warn('mail', 'none: mails are held and shown in the console', 'BROKERBASE_SMTP_HOST and its neighbours')]
    const where = `${smtp.host}:${smtp.port}`
    try {
      await createMailTransport({ ...smtp, connectTimeoutMs: PATIENCE, totalTimeoutMs: 3 * PATIENCE }).verify()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return [fail('mail', `${where}: ${why}`, 'check BROKERBASE_SMTP_HOST, _PORT, _USER, _PASSWORD and _SECURE')]
    }
    const signedIn = smtp.user === undefined ? 'greets' : 'lets this server sign in'
    if (smtp.from.includes('@localhost'))
      return [warn('mail', `${where} ${signedIn}, and mails come from ${smtp.from}`, 'BROKERBASE_SMTP_FROM')]
    return [ok('mail', `${where} ${signedIn}`)]
  },
}

const address: Check = {
  name: 'address',
  look: ({ config: { publicUrl, tls, trustedProxies, host } }) => {
    const { protocol, hostname } = new URL(publicUrl)
    const isHere = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]'
    if (protocol === 'http:')
      return isHere && (host === '127.0.0.1' || host === '::1')
        ? [ok('address', `${publicUrl}, on this machine only`)]
        : [
            fail(
              'address',
              `${publicUrl} listens on ${host} without https: passwords and cookies travel in the open`,
              'BROKERBASE_PUBLIC_URL=https://…, with BROKERBASE_ACME, BROKERBASE_TLS_CERT or a proxy in front',
            ),
          ]
    if (!tls && trustedProxies.length === 0)
      return [
        warn(
          'address',
          `${publicUrl} comes through a proxy that is not named: everybody behind it is one address`,
          'BROKERBASE_TRUSTED_PROXIES names its network',
        ),
      ]
    return [ok('address', `${publicUrl}, cookies for https only`)]
  },
}

/** Returns the certificate that the server uses now; undefined if it does not run. */
async function shown(config: Config): Promise<X509Certificate | undefined> {
  const { hostname, port } = new URL(localAddress(config))
  const { promise, resolve } = Promise.withResolvers<X509Certificate | undefined>()
  const socket = dialTls({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 443),
    servername: new URL(config.publicUrl).hostname,
    rejectUnauthorized: false,
    timeout: PATIENCE,
  })
  socket.once('secureConnect', () => resolve(new X509Certificate(socket.getPeerCertificate().raw)))
  socket.once('timeout', () => resolve(undefined))
  socket.once('error', () => resolve(undefined))
  return promise.finally(() => socket.destroy())
}

const certificate: Check = {
  name: 'certificate',
  look: async ({ config, now }) => {
    const { tls, publicUrl } = config
    if (!tls) return []
    const host = new URL(publicUrl).hostname
    const found = await shown(config)
    const facts = found
      ? {
          notBefore: Date.parse(found.validFrom),
          notAfter: Date.parse(found.validTo),
          isFor: found.checkHost(host) !== undefined,
        }
      : undefined
    const read = facts ?? (tls.source === 'files' ? fromFiles(tls, host) : undefined)
    if (!read) return [warn('certificate', 'no server runs to show it', 'brokerbase serve asks for it')]
    const remedy =
      tls.source === 'acme'
        ? `the log of the server says what the authority objects to: does port 80 of ${host} lead here?`
        : 'renew it; the server notices new files by itself'
    // the server signs its own certificate until the authority issues one
    if (tls.source === 'acme' && found?.issuer === found?.subject)
      return [fail('certificate', 'a stand-in that no browser believes: the authority has issued none yet', remedy)]
    const days = Math.floor((read.notAfter - now) / DAY)
    if (read.notAfter <= now) return [fail('certificate', `it ended ${-days} days ago`, remedy)]
    if (!read.isFor) return [fail('certificate', `it is not for ${host}`, remedy)]
    return endsSoon(read, now)
      ? [warn('certificate', `it ends in ${days} days`, remedy)]
      : [ok('certificate', `for ${host}, ${days} days left`)]
  },
}

/** Returns the certificate of the configured files. */
function fromFiles(tls: { cert: string; key: string }, host: string) {
  const { notBefore, notAfter, names } = readCertificate(readFileSync(tls.cert, 'utf8'), readFileSync(tls.key, 'utf8'))
  return { notBefore, notAfter, isFor: covers(names, host) }
}

/** Checks of other parts: the server, its address and certificate, the replica, the stream of events, the mail. */
export const OUTSIDE: readonly Check[] = [server, address, certificate, replica, events, mail]
