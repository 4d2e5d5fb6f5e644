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
 * Ends an engine that a server left behind when it was killed: two engines with one lineage would spoil it. To be
 * called with the lock of the data directory. An engine of another directory is not touched.
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
    // the number may belong to anybody by now
    if (Number.isInteger(pid) && pid > 1 && isRunning(pid, /litestream/)) pids.add(pid)
  }
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
      for (let tries = 0; tries < 100 && existsSync(`/proc/${pid}/fd`); tries += 1) await Bun.sleep(20)
    } catch {
      // it has ended by itself
    }
  }
  rmSync(socket, { force: true })
  rmSync(pidPath(dataDir), { force: true })
}
