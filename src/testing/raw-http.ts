import { connect } from 'node:net'
import { until } from './until.ts'

/** A connection that sends exactly what a test writes, and nothing that a client library would add. */
export type RawConnection = {
  write(text: string | Uint8Array): void
  /** Resolves with everything that was received, once the server closed the connection or the text is enough. */
  answer(isEnough?: (said: string) => boolean): Promise<string>
  /** Returns whether everything written has been sent, or the connection is closed. */
  isSent(): boolean
  close(): void
  /** Stops reading answers. */
  pause(): void
}

/** Connects to a server on this machine; `from` is the local address to connect from. */
export async function rawConnection(url: string, from?: string): Promise<RawConnection> {
  const socket = connect({
    port: Number(new URL(url).port),
    host: '127.0.0.1',
    ...(from ? { localAddress: from } : {}),
  })
  let said = ''
  let over = false
  socket.on('data', (bytes) => {
    said += bytes.toString('latin1')
  })
  socket.on('close', () => {
    over = true
  })
  const connected = Promise.withResolvers<void>()
  socket.on('connect', connected.resolve)
  socket.on('error', (error) => connected.reject(error))
  await connected.promise
  return {
    write: (bytes) => void socket.write(bytes),
    answer: async (isEnough = () => false) => {
      await until('the server has answered', () => over || isEnough(said))
      return said
    },
    isSent: () => over || socket.writableLength === 0,
    close: () => void socket.destroy(),
    pause: () => void socket.pause(),
  }
}

/** Sends one request on its own connection, with exactly these lines, and returns the whole answer. */
export async function rawRequest(url: string, lines: readonly string[], body = ''): Promise<string> {
  const connection = await rawConnection(url)
  connection.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)
  return connection.answer()
}
