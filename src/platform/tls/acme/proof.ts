import { type Static, Type } from '@sinclair/typebox'
import { type Clock, SECOND } from '../../clock.ts'
import type { Challenges } from '../plain-door.ts'
import { AcmeError, type Wire } from './wire.ts'

const POLL_MS = 500
const SLOWEST_POLL_MS = 10 * SECOND
/** The time that an authority may take to check a challenge, or to sign. */
const PATIENCE_MS = 120 * SECOND

const Challenge = Type.Object({
  type: Type.String(),
  url: Type.String(),
  token: Type.Optional(Type.String()),
  error: Type.Optional(Type.Object({ detail: Type.Optional(Type.String()) })),
})
const Authorization = Type.Object({
  status: Type.String(),
  identifier: Type.Object({ value: Type.String() }),
  challenges: Type.Array(Challenge),
})
/** An account of an authority with its connection, and the map for the answers to its challenges. */
export type Session = { wire: Wire; account: string; thumbprint: string; clock: Clock; challenges: Challenges }

const whyNot = ({ status, challenges }: Static<typeof Authorization>): string =>
  challenges.find(({ error }) => error)?.error?.detail ?? `the authorization is ${status}`

/** Reads a state at growing intervals until it is none of `pending`; throws AcmeError if that takes too long. */
export async function until<T extends { status: string }>(
  clock: Clock,
  read: () => Promise<T>,
  pending: readonly string[],
): Promise<T> {
  const end = clock.now() + PATIENCE_MS
  for (let pause = POLL_MS; ; pause = Math.min(pause * 1.5, SLOWEST_POLL_MS)) {
    const state = await read()
    if (!pending.includes(state.status)) return state
    if (clock.now() > end) throw new AcmeError('slow', 'The certificate authority did not come to an end in time.')
    await clock.sleep(pause)
  }
}

/** Answers the challenge of one name; returns the name and why it failed, or null. */
export async function prove(
  { wire, account, thumbprint, clock, challenges }: Session,
  url: string,
): Promise<[name: string, why: string | null]> {
  const read = async (): Promise<Static<typeof Authorization>> =>
    (await wire.ask(url, '', Authorization, account)).value
  const first = await read()
  const name = first.identifier.value
  if (first.status === 'valid') return [name, null]
  if (first.status !== 'pending') return [name, whyNot(first)]
  const challenge = first.challenges.find(({ type }) => type === 'http-01')
  if (challenge?.token === undefined) return [name, 'the certificate authority offers no HTTP-01 challenge']
  const { token } = challenge
  challenges.set(token, `${token}.${thumbprint}`)
  try {
    await wire.post(challenge.url, {}, account)
    const last = await until(clock, read, ['pending', 'processing'])
    return [name, last.status === 'valid' ? null : whyNot(last)]
  } finally {
    challenges.delete(token)
  }
}
