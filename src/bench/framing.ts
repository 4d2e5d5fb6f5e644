/** The part of HTTP/1.1 that a load generator needs to find the end of an answer; `status` is 0 before the head. */
export type Framer = {
  /** Takes received bytes; returns the status of the answer that they complete, or 0. */
  push(bytes: Buffer): number
  reset(): void
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /\r\ncontent-length: *(\d+)/i
const CHUNKED = /\r\ntransfer-encoding: *chunked/i
const EMPTY = Buffer.alloc(0)

/**
 * Returns the index after the last chunk of a chunked body that starts at `from`, or -1 if its end has not arrived yet.
 */
function chunkedEnd(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    const line = bytes.indexOf('\r\n', at)
    if (line === -1) return -1
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    at = line + 2 + size + 2
    if (at > bytes.length) return -1
    if (size === 0) return at
  }
}

/** Makes a framer for one connection without pipelining: it waits for one answer at most. */
export function createFramer(): Framer {
  let held = EMPTY
  let missing = 0
  let status = 0
  return {
    reset: () => {
      held = EMPTY
      missing = 0
      status = 0
    },
    push: (bytes) => {
      if (missing > 0) {
        missing -= bytes.length
        return missing <= 0 ? status : 0
      }
      const all = held.length > 0 ? Buffer.concat([held, bytes]) : bytes
      const end = all.indexOf(HEAD_END)
      if (end === -1) {
        held = Buffer.from(all)
        return 0
      }
      const head = all.toString('latin1', 0, end)
      status = (all[9] ?? 48) * 100 + (all[10] ?? 48) * 10 + (all[11] ?? 48) - 48 * 111
      const length = LENGTH.exec(head)?.[1]
      if (length === undefined && CHUNKED.test(head)) {
        const done = chunkedEnd(all, end + 4) !== -1
        // a copy, since the socket uses its buffer again for the next packet
        held = done ? EMPTY : Buffer.from(all)
        return done ? status : 0
      }
      held = EMPTY
      missing = end + 4 + Number(length ?? 0) - all.length
      return missing <= 0 ? status : 0
    },
  }
}
