import type { Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import { say } from '../words/say.ts'
import { authoritiesWith } from './egress.ts'
import { openTrustedSocket } from './trusted-socket.ts'

export type MailSettings = {
  host: string
  port: number
  user?: string
  password?: string
  /** TLS from the first byte (port 465). Otherwise STARTTLS is used where the relay offers it. */
  secure?: boolean
  /** `desk@broker.example` or `Broker <desk@broker.example>` */
  from: string
  /** PEM of further certificate authorities, for a relay with a private one. */
  trustedCertificates?: string
  connectTimeoutMs?: number
  totalTimeoutMs?: number
}

type Mail = { to: string; subject: string; text: string }
export type MailTransport = { send(mail: Mail): Promise<void> }

/** A mail that the relay did not accept; `permanent` when another attempt is of no use. */
export class MailError extends Error {
  readonly permanent: boolean
  constructor(message: string, permanent: boolean, cause?: unknown) {
    super(message, { cause })
    this.name = 'MailError'
    this.permanent = permanent
  }
}

// One recipient, never a list: a comma in an address must not become a second mail.
const oneAddress = /^[^\s,;:<>()[\]"\\@]+@[^\s,;:<>()[\]"\\@]+$/

const isLoopback = (host: string): boolean => /^(localhost\.?|127(\.\d+){3}|::1)$/i.test(host)

const responseCode = (error: unknown): number | undefined =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : undefined

const toMailError = (error: unknown): MailError => {
  if (error instanceof MailError) return error
  const why =
    error instanceof Error ? say('mail.failure.refused', { reason: error.message }) : say('mail.failure.unknown')
  return new MailError(why, (responseCode(error) ?? 0) >= 500, error)
}

/**
 * Plain-text mail through the operator's SMTP relay; one connection per mail, 10 s to connect and 60 s in all unless
 * set. With a password, TLS is required except on loopback. `send` resolves once the relay has accepted the mail;
 * throws MailError.
 */
export const createMailTransport = (settings: MailSettings): MailTransport => {
  const { host, port, user, password, from, connectTimeoutMs = 10_000, totalTimeoutMs = 60_000 } = settings
  const ca = authoritiesWith(settings.trustedCertificates)

  const deliver = async (mail: Mail, opened: (socket: Socket) => void): Promise<void> => {
    const socket = await openTrustedSocket(host, port, connectTimeoutMs)
    opened(socket)
    const transport = createTransport({
      host,
      port,
      secure: settings.secure ?? false,
      requireTLS: user !== undefined && !isLoopback(host),
      ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
      tls: { servername: host, ...(ca && { ca }) },
      getSocket: (_options, done) => done(null, { connection: socket }),
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      socketTimeout: totalTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    await transport.sendMail({ from, to: { name: '', address: mail.to }, subject: mail.subject, text: mail.text })
  }

  return {
    send: async (mail) => {
      if (!oneAddress.test(mail.to)) throw new MailError(say('mail.failure.no_recipient'), true)
      let socket: Socket | undefined
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new MailError(say('mail.failure.timeout'), false)), totalTimeoutMs)
      })
      const delivery = deliver(mail, (opened) => {
        socket = opened
      })
      // A promise that loses the race is left alone; its later failure is a consequence and not reported.
      delivery.catch(() => {})
      try {
        await Promise.race([delivery, late])
      } catch (error) {
        throw toMailError(error)
      } finally {
        clearTimeout(timer)
        socket?.destroy()
      }
    },
  }
}
