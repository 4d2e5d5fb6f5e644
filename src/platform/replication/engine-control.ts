import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SECOND } from '../clock.ts'
import { engineDirectory } from './engine-binary.ts'
import { socketPath } from './engine-config.ts'

const Synced = Type.Object({ status: Type.String(), txid: Type.Integer(), replicated_txid: Type.Integer() })
const Info = Type.Object({ version: Type.String(), pid: Type.Integer() })

/** The engine cannot go on from what it keeps in the data directory, and does not mend that by itself. */
export class BrokenState extends Error {}

/**
 * Whether an answer says that a file which the engine keeps is damaged or gone, as after a power cut. Its own remedy
 * would be silent: it counts from 1 again, and brings nothing away until it has come past what the replica has.
 * Source: Litestream 0.5.18, replica.go and litestream.go, tried with damaged files.
 */
const tellsOfBrokenState = (answer: string, dataDir: string): boolean =>
  /ltx file corrupted|LTX header/.test(answer) ||
  (answer.includes(engineDirectory(dataDir)) && /checksum mismatch|no such file/.test(answer))

/** Calls of the engine's control socket: HTTP over a file that only this user may open. */
export function createControl(dataDir: string) {
  const socket = socketPath(dataDir)
  const call = async <S extends TSchema>(
    shape: S,
    method: string,
    path: string,
    options: { body?: object; patience: number },
  ): Promise<Static<S>> => {
    const answer = await fetch(`http://engine${path}`, {
      unix: socket,
      method,
      signal: AbortSignal.timeout(options.patience),
      ...(options.body ? { body: JSON.stringify(options.body) } : {}),
    })
    const told: unknown = await answer.json()
    if (!answer.ok) {
      const said = JSON.stringify(told)
      const Failure = tellsOfBrokenState(said, dataDir) ? BrokenState : Error
      throw new Failure(`the engine answered ${answer.status}: ${said.slice(0, 300)}`)
    }
    return Value.Decode(shape, told)
  }
  return {
    info: () => call(Info, 'GET', '/info', { patience: 2 * SECOND }),
    sync: (path: string, patience: number) =>
      call(Synced, 'POST', '/sync', { body: { path, wait: true, timeout: Math.ceil(patience / SECOND) }, patience }),
  }
}
