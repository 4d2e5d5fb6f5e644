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

/** The authority refused these names, each with its reason; the others can be tried again. */
export class NamesRefused extends Error {
  override name = 'NamesRefused'
  constructor(readonly refused: ReadonlyMap<string, string>) {
    super([...refused].map(([name, why]) => `${name}: ${why}`).join('; '))
  }
}

/** A certificate authority. */
export type Authority = {
  /** Gets one certificate for all names; throws NamesRefused if some of them are the reason that there is none. */
  issue(names: readonly string[], replaced?: Certificate): Promise<Certificate>
  /** Returns when (ms) the authority wants the certificate renewed, and when to ask again; null if it does not say. */
  renewalWindow(of: Certificate): Promise<{ start: number; end: number; askAgainIn: number | null } | null>
}

/** Returns the reason of each name for which an order was refused; undefined if the error names none. */
function refusedNames(error: AcmeError, names: readonly string[]): ReadonlyMap<string, string> | undefined {
  if (!['rejectedIdentifier', 'malformed', 'unsupportedIdentifier', 'caa', 'dns'].includes(error.type)) return undefined
  const refused = new Map<string, string>()
  for (const { identifier, detail } of error.failure.subproblems ?? [])
    if (identifier && names.includes(identifier.value)) refused.set(identifier.value, detail ?? error.message)
  // if only one name is refused, the sentence has it and there are no subproblems
  if (refused.size === 0)
    for (const name of names) if (error.message.includes(`"${name}"`)) refused.set(name, error.message)
  return refused.size === 0 ? undefined : refused
}

/** Makes the account and returns its URL; the authority returns the existing account if the key has one already. */
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
    // another order has replaced that certificate, or the authority no longer knows it, so this order replaces none
    if (replaces !== null && error instanceof AcmeError && ['alreadyReplaced', 'malformed'].includes(error.type))
      return wire.ask(wire.directory.newOrder, { identifiers }, Order, account)
    throw error
  }
}

/** Gets the certificate of an order whose challenges are all answered. */
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
    // one after the other, because each call uses up a nonce, and no request waits for the certificate
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
 * Opens an ACME authority (RFC 8555) with HTTP-01 challenges, whose answers are put into `challenges`. The authority
 * finds an account by its key, so only the key is stored.
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
