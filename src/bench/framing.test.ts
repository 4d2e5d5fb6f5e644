import { expect, test } from 'bun:test'
import { createFramer } from './framing.ts'

const plain = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'
const chunked = 'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n3\r\nyou\r\n0\r\n\r\n'
const empty = 'HTTP/1.1 204 No Content\r\nDate: today\r\n\r\n'

/** Returns the statuses that a framer reports for answers that arrive `size` bytes at a time. */
const statuses = (answers: string[], size: number): number[] => {
  const framer = createFramer()
  return answers.flatMap((answer) => {
    const bytes = Buffer.from(answer)
    const seen: number[] = []
    for (let at = 0; at < bytes.length; at += size) {
      const status = framer.push(bytes.subarray(at, at + size))
      if (status !== 0) seen.push(status)
    }
    return seen
  })
}

test.each([1, 7, 20, 1000])('a framer finds the end of every answer in pieces of %i bytes', (size) => {
  expect(statuses([plain, chunked, empty, chunked, plain], size)).toEqual([200, 201, 204, 201, 200])
})

test('a framer does not take half an answer for a whole one', () => {
  expect(statuses([plain.slice(0, -1)], 1000)).toEqual([])
  expect(statuses([chunked.slice(0, -2)], 1000)).toEqual([])
})
