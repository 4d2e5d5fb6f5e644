import { join } from 'node:path'
import { childEnvironment } from '../../config.ts'

/** Work that may run long, in a child of the same program that can be killed. Names are those of `src/commands/run-task.ts`. */
export class TaskFailed extends Error {
  override name = 'TaskFailed'
}

/** The program itself: the executable, or Bun with our source where nothing is compiled. */
const self = (): string[] =>
  import.meta.path.startsWith('/$bunfs')
    ? [process.execPath]
    : [process.execPath, join(import.meta.dir, '../../main.ts')]

/**
 * Runs a task in a child with `input` as JSON on its standard input and resolves with the JSON it prints. The child gets no environment of ours but what
 * it needs to start, and is killed at the deadline or when `signal` aborts: a worker thread would not stop a running query. DESIGN §4.10.
 */
export async function runTask(
  name: string,
  input: unknown,
  options: { deadlineMs: number; signal?: AbortSignal },
): Promise<unknown> {
  const child = Bun.spawn([...self(), 'run-task', name], {
    env: childEnvironment(),
    stdin: new Blob([JSON.stringify(input)]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const kill = () => child.kill('SIGKILL')
  const timer = setTimeout(kill, options.deadlineMs)
  options.signal?.addEventListener('abort', kill, { once: true })
  try {
    const [output, errors, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    if (code !== 0)
      throw new TaskFailed(
        errors.trim().split('\n').at(-1)?.slice(0, 500) || `${name} was stopped after ${options.deadlineMs} ms`,
      )
    return JSON.parse(output)
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', kill)
  }
}
