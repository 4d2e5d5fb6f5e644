import { MIB } from '../../../platform/bytes.ts'
import { residentBytes } from '../../../platform/query-runner/limits.ts'
import { listSelf } from '../../../platform/query-runner/task.ts'
import { readLines } from './lines.ts'

/** A child that speaks to terminals. */
export type TerminalChild = { send(line: string): void; kill(): void }

/** A child may hold this much. */
const MOST_BYTES = 1024 * MIB
const WATCH_EVERY = 1000

/**
 * Starts a child that speaks to terminals. It has no environment, no database and no key; it ends when this process
 * does, since its input ends then. `hear` is called with each line that it says and `end` once, when it is gone; it is
 * killed if it takes too much memory, or says what `hear` does not understand.
 */
export function startTerminalChild(hear: (line: string) => void, end: () => void): TerminalChild {
  const child = Bun.spawn([...listSelf('run-terminals-from-source.ts'), 'run-terminals'], {
    env: {},
    cwd: '/',
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const kill = (): void => child.kill('SIGKILL')
  const watch = setInterval(() => {
    if ((residentBytes(child.pid) ?? 0) > MOST_BYTES) kill()
  }, WATCH_EVERY)
  watch.unref()
  child.unref()
  const listen = async (): Promise<void> => {
    try {
      for await (const line of readLines(child.stdout)) hear(line)
    } catch {
      // what it says is not understood, so nothing else of it is
    }
    kill()
    await child.exited
    clearInterval(watch)
    end()
  }
  void listen()
  return {
    send: (line) => {
      // a child that just ended takes nothing more; `end` tells those who wait
      if (child.exitCode !== null) return
      child.stdin.write(line)
      child.stdin.flush()
    },
    kill,
  }
}
