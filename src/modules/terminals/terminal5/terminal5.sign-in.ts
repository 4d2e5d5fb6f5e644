import { TerminalFault } from '../contract/fault.ts'
import type { TerminalAddress } from '../contract/terminal.ts'
import type { Answer } from './terminal5.answers.ts'
import { hashPassword, isProof, prove, readChallenge } from './terminal5.challenge.ts'
import { judgeRead } from './terminal5.codes.ts'
import type { Environment } from './terminal5.environment.ts'
import { PATHS, type Path } from './terminal5.paths.ts'

/** The version of the interface that is asked for, and the name under which the terminal's log shows us. */
const VERSION = '3000'
const AGENT = 'Brokerbase'
const CHALLENGE_BYTES = 16

type Ask = (path: Path, query: Readonly<Record<string, string>>) => Promise<Answer>

const expectDone = (answer: Answer, path: Path): Answer => {
  const fault = judgeRead(answer, path)
  if (fault !== null) throw fault
  return answer
}

/**
 * Signs in on a connection, and has the terminal prove that it knows the password too, before anything else is sent.
 * Returns the build that it says it has.
 */
export async function signIn(
  { login, password }: Pick<TerminalAddress, 'login' | 'password'>,
  ask: Ask,
  env: Pick<Environment, 'random'>,
): Promise<string> {
  const secret = hashPassword(password)
  const start = await ask(PATHS.start, { version: VERSION, agent: AGENT, login, type: 'manager' })
  const theirs = readChallenge(expectDone(start, PATHS.start).top.srv_rand)
  if (theirs === undefined) throw new TerminalFault('not_an_answer', { reason: 'challenge' })
  const ours = env.random(CHALLENGE_BYTES)
  const proofs = { srv_rand_answer: prove(secret, theirs), cli_rand: Buffer.from(ours).toString('hex') }
  const end = expectDone(await ask(PATHS.prove, proofs), PATHS.prove)
  if (!isProof(end.top.cli_rand_answer, secret, ours)) throw new TerminalFault('wrong_proof')
  const build = end.top.version_trade ?? end.top.version_access ?? start.top.version_access
  return typeof build === 'string' ? build : ''
}
