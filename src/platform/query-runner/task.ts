import { join } from 'node:path'
import { childEnvironment } from '../../config.ts'
import { MIB } from '../bytes.ts'
import { SECOND } from '../clock.ts'
import { CHILD_BYTES, residentBytes, yieldProcessor } from './limits.ts'
import { createSlots } from './slots.ts'
import type { TaskName } from './task-names.ts'

/** The task failed or was stopped; the message says why. */
export class TaskFailed extends Error {
  override name = 'TaskFailed'
}
const TOLD_TO_STOP = 'it was told to stop'
/** Nobody waits for the task any more, so it was stopped. */
export class TaskStopped extends TaskFailed {
  constructor(name: string) {
    super(`${name} was stopped: ${TOLD_TO_STOP}`)
  }
}
/** The task was ended because it needed more time, memory or output than it may have. */
export class TaskOverLimit extends TaskFailed {}

/**
 * The answer of a task that makes the long text of a file. The caller gets `{...value, text}` with the text as bytes,
 * which the server only passes on: decoding them from JSON and encoding them again would block the event loop.
 */
export class WithText {
  constructor(
    readonly value: object,
    readonly text: string,
  ) {}
}

/**
 * Returns the command line of this program: the executable, or Bun with a file of `src/commands` if nothing is
 * compiled.
 */
export const listSelf = (source: string): string[] =>
  import.meta.path.startsWith('/$bunfs')
    ? [process.execPath]
    : [process.execPath, join(import.meta.dir, '../../commands', source)]

/** A task may print this many bytes; the largest output is a parsed list of sanctions. */
const MAX_OUTPUT = 64 * MIB
const MAX_ERRORS = 64 * 1024
/**
 * The server also watches the memory of a child, since JavaScript objects use memory that the runtime reserved before
 * the limit of the kernel was set. A child may hold this much beside its limit.
 */
const RESIDENT_BESIDE = 256 * MIB
const WATCH_EVERY = 100

const slots = createSlots()
let running = 0
let killed = 0
/** The numbers of children that run, that are waited for, and that were killed since the start. */
export const taskCounts = { running: () => running, waiting: () => slots.waiting(), killed: () => killed }

/** Reads a stream to its end; beyond `limit` bytes each further piece calls `over` and is discarded. */
async function readUpTo(stream: ReadableStream<Uint8Array>, limit: number, over: () => void): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of stream) {
    size += piece.byteLength
    if (size > limit) over()
    else pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const LINE_END = 10
/** Returns the answer of a task as its child printed it, so that `readAnswer` reads it again elsewhere. */
export function printAnswer(answer: unknown): Uint8Array<ArrayBuffer> {
  if (typeof answer === 'object' && answer !== null && 'text' in answer && answer.text instanceof Uint8Array) {
    const { text, ...value } = answer
    return Buffer.concat([Buffer.from(`${JSON.stringify(value)}\n`), answer.text])
  }
  return Buffer.from(JSON.stringify(answer))
}

/** Reads the output of a task: JSON, which has no line end if nothing indents it, and after a line end the text. */
export function readAnswer(output: Buffer): unknown {
  const end = output.indexOf(LINE_END)
  if (end === -1) return JSON.parse(output.toString())
  return {
    ...JSON.parse(output.toString('utf8', 0, end)),
    text: new Uint8Array(output.buffer, output.byteOffset + end + 1, output.byteLength - end - 1),
  }
}

/**
 * `holder` is the firm that the task is for, which has a share of the places; `person` is its colleague or client, and
 * `isClient` says which.
 */
export type TaskOptions = {
  deadlineMs: number
  signal?: AbortSignal
  background?: boolean
  bytes?: number
  holder?: string
  person?: string | undefined
  isClient?: boolean
  /** The caller limits the number of these children, so that they take no place among the others. */
  hasPlace?: boolean
}

/**
 * Runs a task in a child with `input` as JSON on its standard input and resolves with the JSON it prints. The child
 * gets only the environment that it needs to start, limits its memory and CPU time, and is killed at the deadline, when
 * it takes or prints too much, or when `signal` aborts; a worker thread could not stop a running query. `bytes` is the
 * memory of a task that needs more than others. Throws `TaskFailed`, and a 503 if it may not wait for a place. Two
 * children run at once, one of them for clients; jobs (`background`) and requests take turns. src/README “Event loop”.
 */
export async function runTask(name: TaskName, input: unknown, options: TaskOptions): Promise<unknown> {
  const {
    deadlineMs,
    signal,
    background = false,
    bytes = CHILD_BYTES,
    holder,
    person,
    isClient,
    hasPlace = false,
  } = options
  const release = hasPlace ? () => {} : await slots.take({ background, signal, holder, person, isClient })
  try {
    return await taskRunner.run(name, input, { deadlineMs, bytes, signal })
  } finally {
    release()
  }
}

/** The code with which a process ends that was killed (SIGKILL). */
const KILLED = 137

/**
 * Returns why a child ended. If it was refused memory, the runtime prints a report of its crash, which a sentence
 * replaces. The kernel kills a child at its limit of CPU time, and when the machine has no memory left.
 */
function explainEnd(name: string, errors: string, code: number): TaskFailed {
  if (/panic|out of memory/i.test(errors)) return new TaskOverLimit(`${name} needed more memory than it may have`)
  if (code === KILLED) return new TaskOverLimit(`${name} needed more time or memory than it may have`)
  return new TaskFailed(errors.trim().split('\n').at(-1)?.slice(0, 500) || `${name} ended with ${code}`)
}

type Limits = { deadlineMs: number; bytes: number; signal: AbortSignal | undefined }

/** Runs a task in a child. Tests that are not about children run most tasks in their process (`tasks-here.ts`). */
export const taskRunner: { run: (name: TaskName, input: unknown, limits: Limits) => Promise<unknown> } = {
  run: runInChild,
}

async function runInChild(name: TaskName, input: unknown, { deadlineMs, bytes, signal }: Limits): Promise<unknown> {
  const order = { cpuSeconds: Math.ceil(deadlineMs / SECOND) + 1, bytes, input }
  const child = Bun.spawn([...listSelf('run-task-from-source.ts'), 'run-task', name], {
    env: childEnvironment(),
    stdin: new Blob([JSON.stringify(order)]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  yieldProcessor(child.pid)
  running += 1
  let reason: string | undefined
  const kill = (why: string) => () => {
    if (reason === undefined) killed += 1
    reason ??= why
    child.kill('SIGKILL')
  }
  const onAbort = kill(TOLD_TO_STOP)
  const timer = setTimeout(kill(`it took longer than ${deadlineMs} ms`), deadlineMs)
  const watch = setInterval(() => {
    if ((residentBytes(child.pid) ?? 0) > bytes + RESIDENT_BESIDE) kill('it needed too much memory')()
  }, WATCH_EVERY)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const [output, errors, code] = await Promise.all([
      readUpTo(child.stdout, MAX_OUTPUT, kill('it printed too much')),
      readUpTo(child.stderr, MAX_ERRORS, () => {}),
      child.exited,
    ])
    if (reason === TOLD_TO_STOP) throw new TaskStopped(name)
    if (reason !== undefined) throw new TaskOverLimit(`${name} was stopped: ${reason}`)
    if (code !== 0) throw explainEnd(name, errors.toString(), code)
    return readAnswer(output)
  } finally {
    running -= 1
    clearTimeout(timer)
    clearInterval(watch)
    signal?.removeEventListener('abort', onAbort)
  }
}
