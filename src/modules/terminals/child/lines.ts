import { MIB } from '../../../platform/bytes.ts'

/** A line has at most this many bytes: lists of logins and of groups are the longest. */
const LONGEST_LINE = 16 * MIB
const LINE_END = 10

/** Yields the lines of a stream, without their ends. Throws if one is longer than may be. */
export async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let rest: Uint8Array[] = []
  let size = 0
  for await (const piece of stream) {
    let from = 0
    for (let end = piece.indexOf(LINE_END); end !== -1; end = piece.indexOf(LINE_END, from)) {
      yield Buffer.concat([...rest, piece.subarray(from, end)]).toString()
      rest = []
      size = 0
      from = end + 1
    }
    if (from < piece.length) {
      rest.push(piece.subarray(from))
      size += piece.length - from
      if (size > LONGEST_LINE) throw new Error('a line is too long')
    }
  }
}
