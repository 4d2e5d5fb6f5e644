import { isApiError } from '../../lib/api/http.ts'
import { say } from '../../lib/text/words.ts'
import { errorText } from '../page/error-state.tsx'

/** `isUnchanged` is set for a row that was already as it should become. */
export type BulkResult = { id: string; ok: boolean; message?: string; isUnchanged?: boolean }

/** How a run over many rows reports its progress, learns that it was stopped, and waits. */
export type Watch = {
  onProgress: (done: number, all: number) => void
  isStopped: () => boolean
  wait?: (ms: number) => Promise<void>
}

/**
 * All colleagues share the rate limit of their firm, 300 requests a minute by default. A run makes `UNPAUSED` calls
 * without a pause; then it waits `PAUSE` milliseconds between calls, which leaves the colleagues more than half of the
 * limit.
 */
const UNPAUSED = 50
const PAUSE = 500
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const refuse = (ids: readonly string[], message: string): BulkResult[] => ids.map((id) => ({ id, ok: false, message }))

/**
 * Sends ids in groups of at most `most`, one after another, and returns a result for each. If a later group fails, or
 * the reader stops, the results so far are kept, and those of the rest say that it was not sent. If the first group
 * fails, the error is thrown.
 */
export async function sendInGroups<R extends BulkResult>(
  ids: readonly string[],
  most: number,
  send: (ids: string[]) => Promise<readonly R[]>,
  { onProgress, isStopped, wait = sleep }: Watch,
): Promise<(R | BulkResult)[]> {
  const results: (R | BulkResult)[] = []
  for (let at = 0; at < ids.length; at += most) {
    const end = Math.min(at + most, ids.length)
    if (isStopped()) return [...results, ...refuse(ids.slice(at), say('parts.bulk.stopped'))]
    try {
      results.push(...(await send(ids.slice(at, end))))
    } catch (error) {
      if (at === 0) throw error
      const failed = refuse(ids.slice(at, end), errorText(error))
      return [...results, ...failed, ...refuse(ids.slice(end), say('parts.bulk.not_sent'))]
    }
    onProgress(end, ids.length)
    if (end < ids.length && end >= UNPAUSED * most) await wait(PAUSE)
  }
  return results
}

/** Acts on rows one after another; a refusal of one row is its result, and the next one follows. */
export const sendEach = <T extends { id: string }, R extends BulkResult>(
  rows: readonly T[],
  act: (row: T) => Promise<R>,
  watch: Watch,
): Promise<(R | BulkResult)[]> => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const send = async (ids: string[]): Promise<(R | BulkResult)[]> => {
    const results: (R | BulkResult)[] = []
    for (const row of ids.flatMap((id) => byId.get(id) ?? [])) {
      try {
        results.push(await act(row))
      } catch (error) {
        if (!isOfRow(error)) throw error
        results.push(...refuse([row.id], errorText(error)))
      }
    }
    return results
  }
  return sendInGroups([...byId.keys()], 1, send, watch)
}

/** These refusals are about the session and would meet every further row as well. */
const OF_READER = new Set(['reauthentication_required', 'password_change_required', 'second_factor_required'])
const OF_ROW = new Set([403, 404, 409, 412, 422])

/** Returns whether a refusal is about the row; any other one, such as a lost connection, ends the run. */
const isOfRow = (error: unknown): boolean =>
  isApiError(error) && OF_ROW.has(error.status) && !OF_READER.has(error.problem.code ?? '')
