import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { copyDataset, type Dataset } from './dataset.ts'
import { median } from './rounds.ts'
import { EXECUTABLE, residentMegabytes, startProduct } from './servers.ts'

const SETTLE_MS = 3000

/** Returns the median milliseconds of starts on a small database, until `GET /v1/setup` answers its first 200. */
export async function startTime(small: Dataset, scratch: string, times: number): Promise<number> {
  const directory = copyDataset(small, join(scratch, 'start'))
  // this first start makes the key and the second database
  await (await startProduct(directory)).stop()
  const taken: number[] = []
  for (let time = 0; time < times; time += 1) {
    const server = await startProduct(directory)
    taken.push(server.startedIn)
    await server.stop()
  }
  return median(taken)
}

/** Returns the resident megabytes of a server that has answered once and was then idle for three seconds. */
export async function idleMemory(small: Dataset, scratch: string): Promise<number> {
  const server = await startProduct(copyDataset(small, join(scratch, 'idle')))
  await Bun.sleep(SETTLE_MS)
  const megabytes = residentMegabytes(server.pid)
  await server.stop()
  return megabytes
}

/** Returns the megabytes (10^6 bytes) of the executable; undefined if it is not built. */
export const executableSize = (): number | undefined =>
  existsSync(EXECUTABLE) ? statSync(EXECUTABLE).size / 1e6 : undefined
