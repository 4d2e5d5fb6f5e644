import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

type ReceivedMail = {
  from: string
  to: string[]
  /** Header names in lower case, values unfolded. */
  headers: Record<string, string>
  /** The body, decoded. */
  text: string
  /** Everything between DATA and the final dot, dots unstuffed. */
  raw: string
  user: string | undefined
}

export type FakeSmtp = {
  host: string
  port: number
  mails: ReceivedMail[]
  /** Every command line received, passwords included, since some tests check them. */
  commands: string[]
  /**
   * Answers to a command instead of the usual ones, by verb or by the whole line: `{ RCPT: '550 no' }`. `'silence'`
   * never answers.
   */
  answers: Record<string, string>
  stop(): Promise<void>
}

const decodeBody = (body: string, encoding: string): string => {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const parseMail = (raw: string): Pick<ReceivedMail, 'headers' | 'text'> => {
  const split = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, split)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const text = decodeBody(raw.slice(split + 4), (headers['content-transfer-encoding'] ?? '').toLowerCase())
  return { headers, text: text.replaceAll('\r\n', '\n').trimEnd() }
}

const readAddress = (argument: string): string => /<([^>]*)>/.exec(argument)?.[1] ?? ''

/** Starts a real SMTP server on 127.0.0.1 that keeps its mail. `tls` makes it speak TLS from the first byte. */
export const startFakeSmtp = async (
  options: { password?: string; tls?: { key: string; cert: string } } = {},
): Promise<FakeSmtp> => {
  const mails: ReceivedMail[] = []
  const commands: string[] = []
  const answers: Record<string, string> = {}
  const open = new Set<Socket>()

  const serve = (socket: Socket): void => {
    let buffered = ''
    let envelope: { from: string; to: string[] } = { from: '', to: [] }
    let data: string | undefined
    let user: string | undefined
    const say = (line: string): void => {
      socket.write(`${line}\r\n`)
    }
    const authenticate = (argument: string): string => {
      const [, name, password] = Buffer.from(argument.replace(/^PLAIN\s*/i, ''), 'base64')
        .toString('utf8')
        .split('\0')
      if (options.password === undefined || password !== options.password) return '535 5.7.8 wrong credentials'
      user = name
      return '235 ok'
    }
    const usualAnswer = (verb: string, argument: string): string => {
      if (verb === 'EHLO') return options.password === undefined ? '250 fake' : '250-fake\r\n250 AUTH PLAIN'
      if (verb === 'AUTH') return authenticate(argument)
      if (verb === 'QUIT') return '221 bye'
      if (verb === 'MAIL') envelope = { from: readAddress(argument), to: [] }
      if (verb === 'RCPT') envelope.to.push(readAddress(argument))
      if (verb === 'DATA') {
        data = ''
        return '354 go on'
      }
      return ['HELO', 'MAIL', 'RCPT', 'RSET', 'NOOP'].includes(verb) ? '250 ok' : '502 unknown'
    }
    const command = (line: string): void => {
      commands.push(line)
      const verb = line.split(' ')[0]?.toUpperCase() ?? ''
      const answer = answers[line] ?? answers[verb] ?? usualAnswer(verb, line.slice(verb.length + 1))
      if (answer !== 'silence') say(answer)
      if (verb === 'QUIT') socket.end()
    }
    const dataLine = (line: string): void => {
      if (line !== '.') {
        data += `${line.replace(/^\./, '')}\r\n`
        return
      }
      const raw = data ?? ''
      data = undefined
      const answer = answers['.'] ?? '250 kept'
      if (answer.startsWith('250')) mails.push({ ...envelope, ...parseMail(raw), raw, user })
      if (answer !== 'silence') say(answer)
    }

    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      buffered += chunk.toString('latin1')
      for (let end = buffered.indexOf('\r\n'); end >= 0; end = buffered.indexOf('\r\n')) {
        const line = Buffer.from(buffered.slice(0, end), 'latin1').toString('utf8')
        buffered = buffered.slice(end + 2)
        if (data === undefined) command(line)
        else dataLine(line)
      }
    })
    const greeting = answers.connect ?? '220 fake ESMTP'
    if (greeting !== 'silence') say(greeting)
  }

  const server = options.tls === undefined ? createServer(serve) : createTlsServer(options.tls, serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const stop = async (): Promise<void> => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { host: '127.0.0.1', port, mails, commands, answers, stop }
}
