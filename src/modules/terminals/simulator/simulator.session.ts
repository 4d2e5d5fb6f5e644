import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import { SECOND } from '../../../platform/clock.ts'
import type { Parameters, Reply } from './simulator.calls.ts'
import type { Engine, Manager } from './simulator.state.ts'

const md5 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Returns what both sides keep of a password: the MD5 of its MD5 in UTF-16 and the name of the interface. */
export const hashPassword = (password: string): Buffer =>
  md5(md5(Buffer.from(password, 'utf16le')), Buffer.from('WebAPI', 'latin1'))

/** Returns the answer to a challenge, in hexadecimal digits. */
export const answerChallenge = (hash: Uint8Array, challenge: string): string =>
  md5(hash, Buffer.from(challenge, 'hex')).toString('hex')

/** A sign-in must end so long after it began. */
const PATIENCE = 10 * SECOND
/** A connection that was silent for so long has no session any more. */
const SILENCE = 180 * SECOND
const OLDEST_VERSION = 484

/** The session of one connection. It ends with the connection. */
export type Session = {
  /** 0 before the sign-in is complete. */
  id: number
  manager: Manager | null
  started: { at: number; challenge: string; login: number } | null
  lastSeen: number
}

export const makeSession = (now: number): Session => ({ id: 0, manager: null, started: null, lastSeen: now })

/** Returns whether the connection was silent for too long. */
export const isStale = (session: Session, now: number): boolean => now - session.lastSeen > SILENCE

const read = (parameters: Parameters, name: string): string => String(parameters.get(name) ?? '')

/** Begins a sign-in: sends a challenge, also for a login that does not exist. */
export function startSession(
  session: Session,
  parameters: Parameters,
  parts: { clock: Clock; engine: Engine; challenge?: string },
): Reply {
  const agent = read(parameters, 'agent')
  const login = read(parameters, 'login')
  if (agent === '' || /\s/.test(agent) || !/^\d{1,15}$/.test(login)) return { retcode: 3 }
  if (read(parameters, 'type') !== 'manager') return { retcode: 1000 }
  if (!(Number(read(parameters, 'version')) >= OLDEST_VERSION)) return { retcode: 1010 }
  const challenge = parts.challenge ?? randomBytes(16).toString('hex')
  session.manager = null
  session.id = 0
  session.started = { at: parts.clock.now(), challenge, login: Number(login) }
  return { retcode: 0, top: { version_access: String(parts.engine.state.build), srv_rand: challenge } }
}

/** Completes a sign-in if the answer proves the password. Null is returned where there was no beginning in time. */
export function completeSession(
  session: Session,
  parameters: Parameters,
  parts: { clock: Clock; engine: Engine; takeId: () => number },
): Reply | null {
  const { started } = session
  session.started = null
  if (started === null || parts.clock.now() - started.at > PATIENCE) return null
  const manager = parts.engine.state.managers.get(started.login)
  if (manager === undefined) return { retcode: 1001 }
  const hash = hashPassword(manager.password)
  const given = read(parameters, 'srvrandanswer').toLowerCase()
  if (given !== answerChallenge(hash, started.challenge)) return { retcode: 1001 }
  const challenge = read(parameters, 'clirand')
  if (!/^[0-9a-f]{32}$/i.test(challenge)) return { retcode: 3 }
  if (manager.refusal !== null) return { retcode: manager.refusal }
  if (!manager.rights.includes(1)) return { retcode: 1024 }
  session.manager = manager
  session.id = parts.takeId()
  return {
    retcode: 0,
    top: { version_trade: String(parts.engine.state.build), cli_rand_answer: answerChallenge(hash, challenge) },
  }
}
