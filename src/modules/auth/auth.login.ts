import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { BoxCtx, Ctx } from '../../platform/access/ctx.ts'
import { bare, statement } from '../../platform/db/statement.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { foldEmail } from '../../platform/http/fields.ts'
import { randomToken } from '../../platform/ids.ts'
import { traders } from '../traders/traders.table.ts'
import { users } from '../users/users.table.ts'
import { proveCode } from './auth.codes.ts'
import { accountOf, deviceCookie, knowsAccount } from './auth.device.ts'
import { authErrors } from './auth.errors.ts'
import { type Candidate, ctxOf, findCandidates } from './auth.lookup.ts'
import type { LoginIn } from './auth.model.ts'
import { matchingOf } from './auth.passwords.ts'
import { type Owner, ownerOf } from './auth.people.ts'
import { cookieFor, type Outcome, openSession } from './auth.service.ts'
import { credentials } from './auth.table.ts'
import { beginTry, logRefusal, type Tries, type Try } from './auth.tries.ts'

const SIGNED_IN = statement(
  sql`UPDATE ${users} SET ${bare(users.lastLoginAt)} = ?2 WHERE ${users.tenantId} = ?1 AND ${users.id} = ?3`,
)

const ownerOfCandidate = ({ userId, traderId }: Candidate): Owner =>
  userId === null ? { traderId: traderId ?? '' } : { userId }

/** One try of a password at everybody who may sign in with an address. */
function tryCandidates(
  ctx: BoxCtx,
  tries: Tries,
  email: string,
  candidates: readonly Candidate[],
): Promise<Try<Candidate>> {
  const accounts = candidates.map((of) => ({
    account: accountOf(of.tenantId, ownerOfCandidate(of)),
    isStaff: of.userId !== null,
    of,
  }))
  return beginTry(ctx, tries, accounts, email).catch((error: unknown) => {
    logRefusal(ctx, 'slow_down', email)
    throw error
  })
}

/** Notes at each of the accounts that a password was wrong. */
function noteWrongPassword(ctx: BoxCtx, allowed: readonly Candidate[]): void {
  // not waited for: an address that nobody has would be answered sooner
  for (const candidate of allowed) {
    void ctxOf(ctx, candidate)
      .write('auth.login_failed', (tx) =>
        tx.audit({ entity: 'session', traderId: candidate.traderId, after: { reason: 'password' } }),
      )
      .catch((error: unknown) => ctx.log.error({ err: error }, 'a failed sign-in could not be noted'))
  }
}

/** The account that a right password opens, or what must be asked for first. */
function choose(proven: readonly Candidate[], { tenant, code }: Static<typeof LoginIn>): Candidate | Outcome['answer'] {
  const tenants = new Map(proven.map((candidate) => [candidate.tenantSlug, candidate.tenantName]))
  const matching = tenant === undefined ? proven : proven.filter((candidate) => candidate.tenantSlug === tenant)
  const chosen = matching[0]
  if (!chosen || (tenant === undefined && tenants.size > 1))
    return { status: 'choose_tenant', tenants: [...tenants].map(([slug, name]) => ({ slug, name })) }
  return chosen.totpEnabled && code === undefined ? { status: 'code_required' } : chosen
}

/** Whether the account is still one that signs in; asked inside the transaction that opens the session. */
function mayStillSignIn(tx: Tx, owner: Owner): boolean {
  if ('userId' in owner) return tx.find(users, { id: owner.userId, status: 'active' }) !== undefined
  const trader = tx.find(traders, { id: owner.traderId })
  return trader !== undefined && trader.status !== 'closed'
}

/** Opens a session for who proved the password, and the code where there is a second factor; false for a wrong code. */
function enter(
  tx: Tx,
  person: Ctx,
  chosen: Candidate,
  { code, knownDevice, token, userAgent }: { code: string; knownDevice: boolean; token: string; userAgent: string },
): boolean {
  const owner = ownerOf(person)
  // what was true before the slow hash may not be any more: then this is a sign-in with yesterday's password
  const credential = tx.find(credentials, owner)
  if (!credential || credential.passwordHash !== chosen.passwordHash || !mayStillSignIn(tx, owner))
    throw authErrors.invalid_credentials()
  if (credential.totpEnabled && !proveCode(tx, person, credential, code, knownDevice)) {
    tx.audit({ action: 'auth.login_failed', entity: 'session', traderId: chosen.traderId, after: { reason: 'code' } })
    return false
  }
  openSession(tx, person, token, userAgent)
  if ('userId' in owner) tx.execute(SIGNED_IN, [tx.now, owner.userId])
  return true
}

/**
 * Signs in staff and traders: password, then the tenant where there
 * are several, then the second factor. RULES “Sign-in”.
 */
export async function login(
  ctx: BoxCtx,
  tries: Tries,
  input: Static<typeof LoginIn>,
  from: { host: string; userAgent: string },
): Promise<Outcome> {
  const email = foldEmail(input.email)
  const candidates = findCandidates(ctx, email, from.host)
  const attempt = await tryCandidates(ctx, tries, email, candidates)
  const proven = await attempt.check(() => matchingOf(attempt.allowed, input.password))
  if (proven.length === 0) {
    logRefusal(ctx, candidates.length > 0 ? 'password' : 'unknown', email)
    noteWrongPassword(ctx, attempt.allowed)
    throw authErrors.invalid_credentials()
  }
  const chosen = choose(proven, input)
  if ('status' in chosen) {
    attempt.right(proven)
    return { answer: chosen, cookies: [] }
  }
  const person = ctxOf(ctx, chosen)
  const account = accountOf(chosen.tenantId, ownerOfCandidate(chosen))
  const token = randomToken(32)
  const knownDevice = knowsAccount(ctx, tries.device, account)
  const given = { code: input.code ?? '', knownDevice, token, userAgent: from.userAgent }
  const opened = await person
    .write('auth.login', (tx) => enter(tx, person, chosen, given))
    .catch((error: unknown) => {
      logRefusal(ctx, 'code', email)
      throw error
    })
  if (!opened) {
    logRefusal(ctx, 'code', email)
    throw authErrors.invalid_code()
  }
  attempt.succeeded(proven, chosen)
  return { answer: { status: 'ok' }, cookies: [cookieFor(token), deviceCookie(ctx, tries.device, account)] }
}
