import { existsSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { pidPath } from './engine.ts'
import { socketPath } from './engine-config.ts'
import { createControl } from './engine-control.ts'

const isRunning = (pid: number, binary: RegExp): boolean => {
  try {
    return binary.test(readlinkSync(`/proc/${pid}/exe`))
  } catch {
    return false
  }
}

/**
 * Kills an engine that a killed server left behind, since two engines would damage one history. It has to be called
 * with the lock of the data directory. An engine of another directory is not touched.
 */
export async function endLeftEngine(dataDir: string): Promise<void> {
  const socket = socketPath(dataDir)
  const pids = new Set<number>()
  if (existsSync(socket)) {
    const left = await createControl(dataDir)
      .info()
      .catch(() => null)
    if (left) pids.add(left.pid)
  }
  if (existsSync(pidPath(dataDir))) {
    const pid = Number(readFileSync(pidPath(dataDir), 'utf8'))
    // another process may have this number by now
    if (Number.isInteger(pid) && pid > 1 && isRunning(pid, /litestream/)) pids.add(pid)
  }
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
      for (let tries = 0; tries < 100 && existsSync(`/proc/${pid}/fd`); tries += 1) await Bun.sleep(20)
    } catch {
      // the engine has ended already
    }
  }
  rmSync(socket, { force: true })
  rmSync(pidPath(dataDir), { force: true })
}
