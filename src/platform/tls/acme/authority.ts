import { type Static, Type } from '@sinclair/typebox'
import type { Clock } from '../../clock.ts'
import type { Egress } from '../../egress.ts'
import { type Certificate, readCertificate } from '../certificate.ts'
import { certificateRequest, makeKey } from '../der.ts'
import type { Challenges } from '../plain-door.ts'
import { base64url, readAccountKey } from './jose.ts'
import { prove, type Session, until } from './proof.ts'
import { renewalId } from './renewal.ts'
import { AcmeError, openWire, readRetryAfter, type Wire } from './wire.ts'

const Order = Type.Object({
  status: Type.String(),
  authorizations: Type.Array(Type.String()),
  finalize: Type.String(),
  certificate: Type.Optional(Type.String()),
  error: Type.Optional(Type.Object({ detail: Type.Optional(Type.String()) })),
})
const RenewalInfo = Type.Object({ suggestedWindow: Type.Object({ start: Type.String(), end: Type.String() }) })

/** Names that an authority would not vouch for, each with why; the others may be asked for anew. */
export class NamesRefused extends Error {
  override name = 'NamesRefused'
  constructor(readonly refused: ReadonlyMap<string, string>) {
    super([...refused].map(([name, why]) => `${name}: ${why}`).join('; '))
  }
}

/** What a certificate is asked of, and when it wants to be asked again. */
export type Authority = {
  /** One certificate for all names; throws NamesRefused where some of them are the reason that there is none. */
  issue(names: readonly string[], replaced?: Certificate): Promise<Certificate>
  /** The time in which the authority wants the certificate renewed, and when to ask again; null where it has none. */
  renewalWindow(of: Certificate): Promise<{ start: number; end: number; askAgainIn: number | null } | null>
}

/** Why an order as a whole was refused, name by name; undefined where it says nothing of names. */
function refusedNames(error: AcmeError, names: readonly string[]): ReadonlyMap<string, string> | undefined {
  if (!['rejectedIdentifier', 'malformed', 'unsupportedIdentifier', 'caa', 'dns'].includes(error.type)) return undefined
  const refused = new Map<string, string>()
  for (const { identifier, detail } of error.failure.subproblems ?? [])
    if (identifier && names.includes(identifier.value)) refused.set(identifier.value, detail ?? error.message)
  // of one name alone the sentence tells, without subproblems
  if (refused.size === 0)
    for (const name of names) if (error.message.includes(`"${name}"`)) refused.set(name, error.message)
  return refused.size === 0 ? undefined : refused
}

/** Accounts are found by their key: asked for again, the authority answers the one that there is. */
async function registerAccount({ post, directory: { newAccount } }: Wire, email: string | null): Promise<string> {
  const contact = email === null ? {} : { contact: [`mailto:${email}`] }
  const { headers } = await post(newAccount, { termsOfServiceAgreed: true, ...contact })
  if (headers.location === undefined) throw new AcmeError('unreadable', 'The account has no address.')
  return headers.location
}

async function order({ wire, account }: Session, names: readonly string[], replaced?: Certificate) {
  const identifiers = names.map((value) => ({ type: 'dns', value }))
  const replaces = wire.directory.renewalInfo && replaced ? renewalId(replaced) : null
  try {
    return await wire.ask(
      wire.directory.newOrder,
      replaces === null ? { identifiers } : { identifiers, replaces },
      Order,
      account,
    )
  } catch (error) {
    // another order has replaced it, or the authority no longer knows it: it is an order like any other then
    if (replaces !== null && error instanceof AcmeError && ['alreadyReplaced', 'malformed'].includes(error.type))
      return wire.ask(wire.directory.newOrder, { identifiers }, Order, account)
    throw error
  }
}

/** Has the authority sign what was proved: the certificate of an order whose challenges are all answered. */
async function collect(
  { wire, account, clock }: Session,
  names: readonly string[],
  location: string,
  finalize: string,
): Promise<Certificate> {
  const certificateKey = makeKey()
  const csr = base64url(certificateRequest(names, certificateKey))
  const read = async (): Promise<Static<typeof Order>> => (await wire.ask(location, '', Order, account)).value
  await until(clock, read, ['pending'])
  await wire.post(finalize, { csr }, account)
  const done = await until(clock, read, ['pending', 'ready', 'processing'])
  if (done.status !== 'valid' || done.certificate === undefined)
    throw new AcmeError('order', done.error?.detail ?? `The order is ${done.status}.`)
  const { body } = await wire.post(done.certificate, '', account)
  return readCertificate(new TextDecoder().decode(body), certificateKey)
}

async function issue(session: Session, names: readonly string[], replaced?: Certificate): Promise<Certificate> {
  try {
    const made = await order(session, names, replaced)
    const { location } = made.headers
    if (location === undefined) throw new AcmeError('unreadable', 'The order has no address.')
    const refused = new Map<string, string>()
    // one after the other: nonces are used up by one call each, and nobody waits for it
    for (const url of made.value.authorizations) {
      const [name, why] = await prove(session, url)
      if (why !== null) refused.set(name, why)
    }
    if (refused.size > 0) throw new NamesRefused(refused)
    return await collect(session, names, location, made.value.finalize)
  } catch (error) {
    const refused = error instanceof AcmeError ? refusedNames(error, names) : undefined
    if (refused) throw new NamesRefused(refused)
    throw error
  }
}

async function renewalWindow(
  { get, directory: { renewalInfo } }: Wire,
  clock: Clock,
  certificate: Certificate,
): ReturnType<Authority['renewalWindow']> {
  const id = renewalId(certificate)
  if (renewalInfo === undefined || id === null) return null
  const { value, headers } = await get(`${renewalInfo.replace(/\/$/, '')}/${id}`, RenewalInfo)
  const [start, end] = [Date.parse(value.suggestedWindow.start), Date.parse(value.suggestedWindow.end)]
  if (!(start <= end)) throw new AcmeError('unreadable', 'The window to renew in has no times.')
  return { start, end, askAgainIn: readRetryAfter(headers['retry-after'], clock.now()) }
}

/**
 * An ACME authority (RFC 8555) with HTTP-01 challenges, whose answers are put into `challenges`. Accounts are found
 * by their key, so that nothing else need be kept.
 */
export function openAuthority(options: {
  egress: Egress
  clock: Clock
  directory: string
  accountKey: string
  email: string | null
  challenges: Challenges
}): Authority {
  const { egress, clock, directory, email, challenges } = options
  const key = readAccountKey(options.accountKey)
  const open = (): Promise<Wire> => openWire(egress, directory, key, clock.now)
  return {
    issue: async (names, replaced) => {
      const wire = await open()
      const account = await registerAccount(wire, email)
      return issue({ wire, account, thumbprint: key.thumbprint, clock, challenges }, names, replaced)
    },
    renewalWindow: async (certificate) => renewalWindow(await open(), clock, certificate),
  }
}
