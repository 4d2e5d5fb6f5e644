import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SECOND } from '../clock.ts'
import { engineDirectory } from './engine-binary.ts'
import { socketPath } from './engine-config.ts'

const Synced = Type.Object({ status: Type.String(), txid: Type.Integer(), replicated_txid: Type.Integer() })
const Info = Type.Object({ version: Type.String(), pid: Type.Integer() })

/** The engine cannot continue from its state in the data directory, and does not repair it. */
export class BrokenState extends Error {}

/**
 * Returns whether an answer says that a file of the engine's state is damaged or missing, as after a power cut. The
 * engine would then count changes from 1 again, without an error, and store nothing until it is past the last change of
 * the replica. Source: Litestream 0.5.18, replica.go and litestream.go, tried with damaged files.
 */
const tellsOfBrokenState = (answer: string, dataDir: string): boolean =>
  /ltx file corrupted|LTX header/.test(answer) ||
  (answer.includes(engineDirectory(dataDir)) && /checksum mismatch|no such file/.test(answer))

/** Makes the calls of the engine's control socket, which is HTTP over a file that only this user may open. */
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
