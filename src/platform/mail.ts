import { isIP, type Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import { say } from '../words/say.ts'
import { authoritiesWith } from './egress.ts'
import { openTrustedSocket } from './trusted-socket.ts'

export type MailSettings = {
  host: string
  port: number
  user?: string
  password?: string
  /** TLS from the first byte (port 465). Otherwise STARTTLS is used if the relay offers it. */
  secure?: boolean
  /** `desk@broker.example` or `Broker <desk@broker.example>` */
  from: string
  /** PEM of further certificate authorities, for a relay with a private one. */
  trustedCertificates?: string
  /** What this server calls itself when it greets the relay. */
  name?: string
  connectTimeoutMs?: number
  totalTimeoutMs?: number
}

type Mail = { to: string; subject: string; text: string }
export type MailTransport = {
  send(mail: Mail): Promise<void>
  /** Connects, encrypts and signs in as before a mail, and sends none. Throws MailError. */
  verify(): Promise<void>
}

/**
 * Whose fault it is that a mail was not accepted: `recipient` if another attempt is of no use, `later` if this mail may
 * be accepted later, and `relay` if no mail would have been.
 */
type Fault = 'recipient' | 'later' | 'relay'

/** A mail that the relay did not accept. */
export class MailError extends Error {
  constructor(
    message: string,
    readonly fault: Fault,
    cause?: unknown,
  ) {
    super(message, { cause })
    this.name = 'MailError'
  }
}

// One recipient, never a list: a comma in an address must not become a second mail.
const oneAddress = /^[^\s,;:<>()[\]"\\@]+@[^\s,;:<>()[\]"\\@]+$/

const isLoopback = (host: string): boolean => /^(localhost\.?|127(\.\d+){3}|::1)$/i.test(host)

const readText = (error: unknown, key: string): string => {
  const value: unknown = error instanceof Error ? Reflect.get(error, key) : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/**
 * Returns whose fault a refusal is. Greeting, encryption, sign-in and sender are the same for every mail, so a refusal
 * of these is the relay's fault. A refusal of a recipient or a message is about this mail alone; otherwise anybody
 * could stop all mail by an address that the relay refuses. The mail may be taken later unless a 5xx refuses it for
 * good. A 5xx does not if the second number of its enhanced status (RFC 3463) is 3 (the relay's system), 4 (its network
 * or quota), or 7 at the recipient (the relay wants a sign-in).
 */
function judge(error: unknown): Fault {
  const command = readText(error, 'command')
  const code = Number(readText(error, 'responseCode'))
  if ((command !== 'RCPT TO' && command !== 'DATA') || !(code >= 400)) return 'relay'
  const [, subject = ''] = /^\d{3}[ -]\d\.(\d{1,3})\.\d{1,3}\b/.exec(readText(error, 'response')) ?? []
  const passes = ['3', '4'].includes(subject) || (subject === '7' && command === 'RCPT TO')
  return code >= 500 && !passes ? 'recipient' : 'later'
}

const toMailError = (error: unknown): MailError => {
  if (error instanceof MailError) return error
  const why =
    error instanceof Error ? say('mail.failure.refused', { reason: error.message }) : say('mail.failure.unknown')
  return new MailError(why, judge(error), error)
}

/**
 * Plain-text mail through the operator's SMTP relay; one connection per mail, 10 s to connect and 60 s in all unless
 * set. With a password, TLS is required except on loopback, where nobody listens in between and certificates are not
 * checked. `send` resolves once the relay has accepted the mail; throws MailError.
 */
export const createMailTransport = (settings: MailSettings): MailTransport => {
  const { host, port, user, password, from, name, connectTimeoutMs = 10_000, totalTimeoutMs = 60_000 } = settings
  const ca = authoritiesWith(settings.trustedCertificates)

  const connect = (socket: Socket) =>
    createTransport({
      host,
      port,
      ...(name !== undefined && { name }),
      secure: settings.secure ?? false,
      requireTLS: user !== undefined && !isLoopback(host),
      ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
      tls: {
        // an address is no server name; the certificate is checked against it all the same
        ...(isIP(host) === 0 && { servername: host }),
        ...(ca && { ca }),
        rejectUnauthorized: !isLoopback(host),
      },
      getSocket: (_options, done) => done(null, { connection: socket }),
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      socketTimeout: totalTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })

  /** Does something with a new connection, within the time that is given to a mail. */
  const withRelay = async (act: (transport: ReturnType<typeof connect>) => Promise<unknown>): Promise<void> => {
    let socket: Socket | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new MailError(say('mail.failure.timeout'), 'relay')), totalTimeoutMs)
    })
    const done = (async () => {
      socket = await openTrustedSocket(host, port, connectTimeoutMs)
      await act(connect(socket))
    })()
    // A promise that loses the race is left alone; its later failure is a consequence and not reported.
    done.catch(() => {})
    try {
      await Promise.race([done, late])
    } catch (error) {
      throw toMailError(error)
    } finally {
      clearTimeout(timer)
      socket?.destroy()
    }
  }

  return {
    send: async ({ to, subject, text }) => {
      if (!oneAddress.test(to)) throw new MailError(say('mail.failure.no_recipient'), 'recipient')
      // out-of-office programs answer no mail that says it was written by a machine (RFC 3834)
      const headers = { 'Auto-Submitted': 'auto-generated' }
      await withRelay((relay) => relay.sendMail({ from, to: { name: '', address: to }, subject, text, headers }))
    },
    verify: () => withRelay((relay) => relay.verify()),
  }
}
