import { KIB } from '../../bytes.ts'
import type { Platform } from '../../platform.ts'
import { createAnswerHeaders } from '../answers/answer-headers.ts'
import { getDownloads } from '../answers/downloads.ts'
import { isAlwaysSent } from '../answers/never-unchanged.ts'
import { matches } from '../answers/precompressed.ts'
import { readMethod } from '../body/request-line.ts'
import { dropSpooled } from '../body/spool.ts'
import type { Front } from './front.ts'

/** Answers of up to this many characters are not counted: they fit into the system's buffer of a connection anyway. */
const MAX_UNCOUNTED = 64 * KIB

/** Whether a handler's answer is sent as JSON. Anything else, such as a file or a stream, brings its own headers. */
const isWireObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** What Elysia sends beside the body of an answer. */
type Sent = { headers: Record<string, string | number>; status?: number | string | undefined }
type Handled = { request: Request; responseValue: unknown; set: Sent }

/** Makes the answer from a handler's result: JSON with its ETag, or a 304 for a caller that has it already. */
export function createAnswerer(platform: Platform, front: Front): (handled: Handled) => Response | undefined {
  const answerHeaders = createAnswerHeaders()
  const downloads = getDownloads(platform.capabilities)
  return ({ request, responseValue, set }) => {
    const caller = front.getCaller(request)
    caller.release?.()
    dropSpooled(request)
    if (!isWireObject(responseValue)) return undefined
    const isRead = readMethod(request) === 'GET'
    if ('version' in responseValue) {
      const etag = `"${responseValue.version}"`
      set.headers.etag = etag
      if (isRead && !isAlwaysSent(responseValue) && matches(request.headers.get('if-none-match'), etag))
        return new Response(null, { status: 304, headers: { etag } })
    }
    // several cookies are several headers of one name, which Elysia writes itself
    if ('set-cookie' in set.headers) return undefined
    set.headers['content-type'] = 'application/json;charset=utf-8'
    const text = JSON.stringify(responseValue)
    const headers = answerHeaders(set.headers)
    // a page that nobody reads takes memory from others, so it may be refused; the result of a write is always reported
    const answer =
      isRead && text.length > MAX_UNCOUNTED
        ? downloads.sendText(caller, text, headers)
        : new Response(text, { status: Number(set.status ?? 200), headers })
    // the answer is complete: Elysia adds nothing to it
    Object.assign(set, { headers: {}, status: 200 })
    return answer
  }
}
