import { join } from 'node:path'
import { childEnvironment } from '../../config.ts'
import { MIB } from '../bytes.ts'
import { SECOND } from '../clock.ts'
import { CHILD_BYTES, residentBytes, yieldProcessor } from './limits.ts'
import { createSlots } from './slots.ts'
import type { TaskName } from './task-names.ts'

/**
 * Work that may run long, in a child of the same program that
 * can be killed. Names are those of `src/commands/run-task.ts`.
 */
export class TaskFailed extends Error {
  override name = 'TaskFailed'
}

/**
 * What a task answers that makes a long text, of a file: whoever asked gets `{...value, text}`, with the text as bytes
 * that the server only hands on. As JSON they would be read, decoded and encoded again while everybody waits.
 */
export class WithText {
  constructor(
    readonly value: object,
    readonly text: string,
  ) {}
}

/** The program itself: the executable, or Bun with our source where nothing is compiled. */
const self = (): string[] =>
  import.meta.path.startsWith('/$bunfs')
    ? [process.execPath]
    : [process.execPath, join(import.meta.dir, '../../commands/run-task-from-source.ts')]

/** What a task may print. The largest is a list of sanctions, read. */
const MAX_OUTPUT = 64 * MIB
const MAX_ERRORS = 64 * 1024
/**
 * Objects of JavaScript lie in memory that the runtime reserved before
 * the kernel's limit counts, so that the child is also watched from here.
 */
const RESIDENT_BESIDE = 256 * MIB
const WATCH_EVERY = 100

const slots = createSlots()
let running = 0
let killed = 0
/** How many children run, are waited for, and were killed since the start. */
export const taskCounts = { running: () => running, waiting: () => slots.waiting(), killed: () => killed }

/** Reads a stream to its end; `over` is called once when it brings more than `limit`, and the rest is thrown away. */
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
/** Reads what a task printed. JSON has no line ends of its own where nothing indents it. */
export function readAnswer(output: Buffer): unknown {
  const end = output.indexOf(LINE_END)
  if (end === -1) return JSON.parse(output.toString())
  return {
    ...JSON.parse(output.toString('utf8', 0, end)),
    text: new Uint8Array(output.buffer, output.byteOffset + end + 1, output.byteLength - end - 1),
  }
}

/**
 * `holder` is the firm that asks, for its share of the places, `person` who of it does, and `isClient` whether that
 * is a client.
 */
export type TaskOptions = {
  deadlineMs: number
  signal?: AbortSignal
  background?: boolean
  bytes?: number
  holder?: string
  person?: string | undefined
  isClient?: boolean
  /** Whoever asks counts these children: no place among the others is taken. */
  hasPlace?: boolean
}

/**
 * Runs a task in a child with `input` as JSON on its standard input and resolves with the JSON it prints. The child
 * gets no environment of ours but what it needs to start, limits its own memory and CPU, and is killed at the deadline,
 * when it takes or prints too much, or when `signal` aborts: a worker thread would not stop a running query. `bytes` is
 * the memory of a task that is known to need more than others. Two run at once, one of them for a client; jobs
 * (`background`) and requests take turns, as do firms. src/README “Event loop”.
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

/**
 * What a child says of its end; the runtime's own report of a
 * crash, which memory that is refused leads to, is nothing to show.
 */
const lastWords = (name: string, errors: string, code: number): string =>
  /panic|out of memory/i.test(errors)
    ? `${name} needed more memory than it may have`
    : errors.trim().split('\n').at(-1)?.slice(0, 500) || `${name} ended with ${code}`

type Limits = { deadlineMs: number; bytes: number; signal: AbortSignal | undefined }

/** How a task is run: in a child. Tests of other matters run most of them in their own process (`tasks-here.ts`). */
export const taskRunner: { run: (name: TaskName, input: unknown, limits: Limits) => Promise<unknown> } = {
  run: runInChild,
}

async function runInChild(name: TaskName, input: unknown, { deadlineMs, bytes, signal }: Limits): Promise<unknown> {
  const order = { cpuSeconds: Math.ceil(deadlineMs / SECOND) + 1, bytes, input }
  const child = Bun.spawn([...self(), 'run-task', name], {
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
  const onAbort = kill('it was told to stop')
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
    if (code !== 0 || reason !== undefined)
      throw new TaskFailed(
        reason === undefined ? lastWords(name, errors.toString(), code) : `${name} was stopped: ${reason}`,
      )
    return readAnswer(output)
  } finally {
    running -= 1
    clearTimeout(timer)
    clearInterval(watch)
    signal?.removeEventListener('abort', onAbort)
  }
}
