import type { Static } from '@sinclair/typebox'
import type { BoxCtx, Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { randomToken } from '../../../platform/ids.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import { say } from '../../../words/say.ts'
import { beginTry, logRefusal, type Tries, type Try } from './auth.attempts.ts'
import { proveCode } from './auth.codes.ts'
import { buildAccountKey, deviceCookie, knowsAccount } from './auth.device.ts'
import { authErrors } from './auth.errors.ts'
import { createPersonCtx, findCandidates } from './auth.lookup.ts'
import type { LoginIn } from './auth.model.ts'
import { mailHolder } from './auth.notices.ts'
import { getAccountOwner, readFirmName } from './auth.own-account.ts'
import { type Candidate, type Owner, type Owners, resolveOwner } from './auth.owners.ts'
import { filterByPassword, renewHash } from './auth.passwords.ts'
import { cookieFor, type Outcome, openSession } from './auth.service.ts'
import { credentials } from './auth.table.ts'

const toOwner = ({ userId, traderId }: Candidate): Owner =>
  userId === null ? { traderId: traderId ?? '' } : { userId }

/** Tries a password at every account that may sign in with an address. */
function tryCandidates(
  ctx: BoxCtx,
  tries: Tries,
  email: string,
  candidates: readonly Candidate[],
): Promise<Try<Candidate>> {
  const accounts = candidates.map((of) => ({
    account: buildAccountKey(of.tenantId, toOwner(of)),
    isStaff: of.userId !== null,
    of,
  }))
  return beginTry(ctx, tries, accounts, email).catch((error: unknown) => {
    logRefusal(ctx, 'slow_down', email)
    throw error
  })
}

function noteWrongPassword(ctx: BoxCtx, allowed: readonly Candidate[]): void {
  // it is not awaited, since unknown addresses would then be answered faster
  for (const candidate of allowed) {
    void createPersonCtx(ctx, candidate)
      .write('auth.login_failed', (tx) =>
        tx.audit({ entity: 'session', traderId: candidate.traderId, after: { reason: 'password' } }),
      )
      .catch((error: unknown) => ctx.log.error({ err: error }, 'a failed sign-in could not be noted'))
  }
}

/** Returns the account that a right password opens, or what the person must be asked for first. */
function choose(proven: readonly Candidate[], { tenant, code }: Static<typeof LoginIn>): Candidate | Outcome['answer'] {
  const tenants = new Map(proven.map((candidate) => [candidate.tenantSlug, candidate.tenantName]))
  const matching = tenant === undefined ? proven : proven.filter((candidate) => candidate.tenantSlug === tenant)
  const chosen = matching[0]
  if (!chosen || (tenant === undefined && tenants.size > 1))
    return { status: 'choose_tenant', tenants: [...tenants].map(([slug, name]) => ({ slug, name })) }
  return chosen.totpEnabled && code === undefined ? { status: 'code_required' } : chosen
}

type Given = {
  code: string
  knownDevice: boolean
  token: string
  userAgent: string
  /** The hash to store instead, if the present one is of another form of the same password; else null. */
  passwordHash: string | null
}

/** Opens a session after a right password and, if it is on, second factor; returns false for a wrong code. */
function enter(
  tx: Tx,
  person: Ctx,
  owners: Owners,
  chosen: Candidate,
  { code, knownDevice, token, userAgent, passwordHash }: Given,
): boolean {
  const owner = getAccountOwner(person)
  const { kind, id } = resolveOwner(owners, owner)
  // the account may have changed during the slow hash, and the checked password may then be an old one
  const credential = tx.find(credentials, owner)
  if (!credential || credential.passwordHash !== chosen.passwordHash || !kind.find(tx, id)?.maySignIn)
    throw authErrors.invalid_credentials()
  if (credential.totpEnabled && !proveCode(tx, person, owners, credential, { code, knownDevice })) {
    tx.audit({ action: 'auth.login_failed', entity: 'session', traderId: chosen.traderId, after: { reason: 'code' } })
    return false
  }
  if (passwordHash !== null)
    tx.update(credentials, credential.id, { passwordHash }, { action: 'auth.password_renewed' })
  openSession(tx, person, token, userAgent)
  kind.noteSignIn(tx, id)
  if (!knownDevice)
    mailHolder(tx, person, owners, owner, () => ({
      subject: say('auth.mail.new_device.subject', { firm: readFirmName(person) }),
      text: say('auth.mail.new_device.text', { ip: person.ip ?? '' }),
    }))
  return true
}

/** Signs in staff and clients: by password, then tenant if there are several, then second factor. RULES “Sign-in”. */
export async function login(
  ctx: BoxCtx,
  owners: Owners,
  tries: Tries,
  input: Static<typeof LoginIn>,
  from: { host: string; userAgent: string },
): Promise<Outcome> {
  const email = foldEmail(input.email)
  const candidates = findCandidates(ctx, owners, email, from.host)
  const attempt = await tryCandidates(ctx, tries, email, candidates)
  const proven = await attempt.check(() => filterByPassword(attempt.allowed, input.password))
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
  const person = createPersonCtx(ctx, chosen)
  const account = buildAccountKey(chosen.tenantId, toOwner(chosen))
  const token = randomToken(32)
  const knownDevice = knowsAccount(ctx, tries.device, account)
  const passwordHash = await renewHash(chosen.passwordHash, input.password)
  const given = { code: input.code ?? '', knownDevice, token, userAgent: from.userAgent, passwordHash }
  const opened = await person
    .write('auth.login', (tx) => enter(tx, person, owners, chosen, given))
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
