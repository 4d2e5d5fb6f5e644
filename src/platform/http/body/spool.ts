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

/** A text longer than this leaves a large body for a file of its own; the rest is validated like any other body. */
const LONG_TEXT = 64 * KIB
/** Memory to take a body of 64 MiB apart in: its bytes, its text, its value and the texts that leave it. */
const UNPACK_BYTES = GIB
/**
 * Large bodies of one firm on disk at once. There is no such number for all firms together: a few of them
 * could use it up with bodies that take an hour. Disk is what each costs, and a firm's papers may take far
 * more of it; the children that take bodies apart have places of their own.
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

/** Removes what a crash left behind; at the start, when nobody uploads. */
export const clearSpool = (dataDir: string): void => rmSync(root(dataDir), { recursive: true, force: true })

/** Removes the files of a request that is over. */
export function dropSpooled(request: Request): void {
  const found = spooled.get(request)
  if (!found || !spooled.delete(request)) return
  active.splice(active.indexOf(found.firm), 1)
  rmSync(found.directory, { recursive: true, force: true })
}

/** The file that holds a text of this request, where the text is the fingerprint of one that was too long to hold. */
export const spooledFile = (request: Request, text: string): string | undefined => {
  const files = spooled.get(request)?.files
  return files && Object.hasOwn(files, text) ? files[text] : undefined
}

/** Whether a body goes to disk while it arrives: it declares to be large, or does not say how large it is. */
export const isLarge = ({ headers }: Request): boolean => {
  const declared = headers.get('content-length')
  return declared === null || Number(declared) > SIGNED_IN_BYTES
}

/**
 * Reads a JSON body that may be very large: it goes to a file while it arrives (0600, in the data
 * directory, gone with the request), is taken apart by a child, and comes back with the fingerprint
 * of each long text in its place. `spooledFile` finds the text. Who sends too slowly is given up.
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
  // what is wrong with a body the child says itself: it had no time or no memory
  if (error instanceof TaskFailed) throw busy()
  throw error
}

/** Child task: takes the body in a directory apart, each long text into a file beside it. */
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
    // what is left goes through the ordinary validation, in the process that serves everybody
    if (JSON.stringify(value).length > SIGNED_IN_BYTES) throw tooLarge(SIGNED_IN_BYTES)
    return { value, files }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status, code, message, errors } = error
    return { problem: { status, code, message, errors: [...errors] } }
  }
}
