import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { say } from '../../../words/say.ts'
import { GIB, KIB } from '../../bytes.ts'
import { MINUTE } from '../../clock.ts'
import { randomToken } from '../../ids.ts'
import { isProblemCode, Problem } from '../../problem.ts'
import { FieldCodeWord, isStatus } from '../../problem-codes.ts'
import { runTask, TaskFailed } from '../../query-runner/task.ts'
import { sha256Hex } from '../../secrets.ts'
import { SIGNED_IN_BYTES, tooLarge } from './body.ts'
import { parseJson } from './json-body.ts'
import { createPatience } from './slow-body.ts'

/** A longer text of a large body is written to its own file; the rest is validated like any other body. */
const LONG_TEXT = 64 * KIB
/** The memory for unpacking a body of 64 MiB: its bytes, its text, its value and its long texts. */
const UNPACK_BYTES = GIB
/**
 * One firm has at most this many large bodies on disk at once. All firms together have no limit: a few firms could use
 * it up with bodies that take an hour. The bodies cost only disk, of which documents may take far more, and the
 * children that unpack them have their own limit.
 */
const AT_ONCE = 2

const UnpackIn = Type.Object({ directory: Type.String() })
const Unpacked = Type.Union([
  Type.Object({ value: Type.Unknown(), files: Type.Record(Type.String(), Type.String()) }),
  Type.Object({
    problem: Type.Object({
      status: Type.Integer(),
      code: Type.String(),
      message: Type.String(),
      errors: Type.Array(Type.Object({ path: Type.String(), code: FieldCodeWord, message: Type.String() })),
    }),
  }),
])

type Spooled = { readonly firm: string; readonly directory: string; files: Readonly<Record<string, string>> }
const spooled = new WeakMap<Request, Spooled>()
const patienceWith = createPatience()
/** The firms whose bodies are on disk, once for each body. */
const active: string[] = []

const busy = () =>
  new Problem(503, 'busy', say('problems.error.spool_full'), [], {
    'retry-after': '60',
  })

const root = (dataDir: string): string => join(dataDir, 'spool')

/** Removes what a crash left; called at the start, before uploads. */
export const clearSpool = (dataDir: string): void => rmSync(root(dataDir), { recursive: true, force: true })

/** Removes the files of a finished request. */
export function dropSpooled(request: Request): void {
  const found = spooled.get(request)
  if (!found || !spooled.delete(request)) return
  active.splice(active.indexOf(found.firm), 1)
  rmSync(found.directory, { recursive: true, force: true })
}

/** Returns the file with a text of this request, if the given text is the hash of one that was too long for memory. */
export const spooledFile = (request: Request, text: string): string | undefined => {
  const files = spooled.get(request)?.files
  return files && Object.hasOwn(files, text) ? files[text] : undefined
}

/** Returns whether a body is written to disk while it arrives: it declares a large size, or none. */
export const isLarge = ({ headers }: Request): boolean => {
  const declared = headers.get('content-length')
  return declared === null || Number(declared) > SIGNED_IN_BYTES
}

/**
 * Reads a JSON body that may be very large: it is written to a file while it arrives (0600, in the data directory,
 * removed with the request), unpacked by a child, and returned with the hash of each long text in its place.
 * `spooledFile` finds the text. A sender who is too slow is given up.
 */
export async function readSpooled(request: Request, firm: string, dataDir: string, limit: number): Promise<unknown> {
  if (active.filter((other) => other === firm).length >= AT_ONCE) throw busy()
  active.push(firm)
  const directory = join(root(dataDir), randomToken(16))
  const entry: Spooled = { firm, directory, files: {} }
  spooled.set(request, entry)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    await receive(request, join(directory, 'body'), limit)
    const { value, files } = await unpack(directory, firm)
    entry.files = files
    return value
  } catch (error) {
    dropSpooled(request)
    throw error
  }
}

async function receive(request: Request, path: string, limit: number): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  const reader = request.body?.getReader()
  const stop = (): void => void reader?.cancel().catch(() => {})
  const patience = patienceWith(stop)
  try {
    for (let size = 0; reader; ) {
      const { done, value } = await patience.wait(reader.read())
      if (done) return
      size += value.byteLength
      if (size > limit) throw tooLarge(limit)
      patience.arrived(value.byteLength)
      await file.appendFile(value)
    }
  } catch (error) {
    stop()
    throw error
  } finally {
    await file.close()
  }
}

async function unpack(directory: string, holder: string): Promise<{ value: unknown; files: Spooled['files'] }> {
  const answer = Value.Decode(
    Unpacked,
    await runTask('body.unpack', { directory }, { deadlineMs: MINUTE, bytes: UNPACK_BYTES, holder }).catch(refused),
  )
  if ('problem' in answer) {
    const { status, code, message, errors } = answer.problem
    if (!isStatus(status) || !isProblemCode(code)) throw new Error(`A child answered the unknown problem ${code}.`)
    throw new Problem(status, code, message, errors)
  }
  return answer
}

const refused = (error: unknown): never => {
  // the child reports what is wrong with a body itself, so this failure is about time or memory
  if (error instanceof TaskFailed) throw busy()
  throw error
}

/** Unpacks the body in a directory in a child, each long text into a file beside it. */
export async function unpackBodyTask(input: unknown): Promise<Static<typeof Unpacked>> {
  const { directory } = Value.Decode(UnpackIn, input)
  const files: Record<string, string> = {}
  const withoutLong = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (value.length <= LONG_TEXT) return value
      const hash = sha256Hex(value)
      files[hash] ??= join(directory, hash)
      writeFileSync(files[hash], value, { mode: 0o600 })
      return hash
    }
    if (Array.isArray(value)) return value.map(withoutLong)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutLong(item)]))
  }
  try {
    const value = withoutLong(await parseJson(readFileSync(join(directory, 'body'))))
    // the rest is validated as usual, in the process that serves all requests
    if (JSON.stringify(value).length > SIGNED_IN_BYTES) throw tooLarge(SIGNED_IN_BYTES)
    return { value, files }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status, code, message, errors } = error
    return { problem: { status, code, message, errors: [...errors] } }
  }
}
