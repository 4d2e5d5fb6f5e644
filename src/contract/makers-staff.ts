import { credentials, oneTimeLinks, sessions } from '../modules/firm/auth/auth.table.ts'
import { accountActs } from '../modules/firm/independence/independence.table.ts'
import { users } from '../modules/firm/users/users.table.ts'
import { mintApiKey } from '../platform/access/api-key.ts'
import type { Role, Scope } from '../platform/access/catalogue.ts'
import { DAY } from '../platform/clock.ts'
import { randomToken } from '../platform/ids.ts'
import { sha256Hex } from '../platform/secrets.ts'
import type { Caller } from '../testing/app.ts'
import type { Room } from './seed-room.ts'

/** Returns makers of people who sign in, and of a view as a client. */
export function staffMakers({ firm, ctx, hash, unique, email, post, readId }: Room, trader: () => Promise<string>) {
  const make = {
    /** Makes a colleague with a second factor, whose account another colleague set up. */
    colleague: async () => {
      const { id } = await make.member('manager')
      await ctx.write('test.colleague', (tx) => {
        const credential = tx.find(credentials, { userId: id })
        if (credential) tx.update(credentials, credential.id, { totpEnabled: true, totpEnabledAt: tx.now })
        return tx.insert(accountActs, { userId: id, byUserId: firm.as.platform_admin.id, act: 'invited' }).id
      })
      return id
    },
    invited: () =>
      readId(post('/v1/users/invite', { email: email(), displayName: unique('Invited'), roles: ['viewer'] })),
    /** Makes a view as a client that has not ended. */
    view: async () => readId(post('/v1/admin/impersonate/start', { traderId: await trader(), reason: 'a test' })),
    /** Makes a signed-in user of a role. The password of the tests was given at `provenAt`, or counts as fresh. */
    member: async (role: Role, provenAt?: number): Promise<Caller & { email: string; session: string }> => {
      const token = randomToken(32)
      const address = email()
      return ctx.write('test.member', (tx) => {
        const user = tx.insert(users, {
          email: address,
          displayName: unique('Staff'),
          roles: [role],
          status: 'active',
          createdAt: tx.now - 30 * DAY,
        })
        tx.insert(credentials, { userId: user.id, passwordHash: hash })
        const late = tx.now + 1e12
        const proven = provenAt ?? late
        const times = { lastSeenAt: tx.now, provenAt: proven, createdAt: proven, expiresAt: late }
        const session = tx.insert(sessions, { userId: user.id, tokenHash: sha256Hex(token), ip: '127.0.0.1', ...times })
        return { id: user.id, email: address, session: session.id, headers: cookieHeaders(token) }
      })
    },
  }
  return make
}

/** Makes what gives access: sessions, keys and links. Returns their makers. */
export function accessMakers({ app, firm, ctx, hash }: Room) {
  const { platform } = app
  return {
    /** Makes a signed-in trader with the password of the tests. */
    traderSession: async (traderId: string): Promise<Caller> => {
      await ctx.write('test.credential', (tx) => {
        if (!tx.find(credentials, { traderId })) tx.insert(credentials, { traderId, passwordHash: hash })
        return null
      })
      return firm.traderSession(traderId)
    },
    key: async (userId: string, scopes: readonly Scope[], extra: { expiresAt?: number; revokedAt?: number } = {}) => {
      const { key, publicId, secretHash } = mintApiKey()
      const id = platform.ids.next('key')
      await ctx.write('test.key', (tx) =>
        tx.execute(
          `INSERT INTO api_keys (tenant_id, id, public_id, user_id, label, secret_hash, scopes, expires_at, revoked_at, created_at, updated_at)
           VALUES (?1,?2,?3,?4,'test',?5,?6,?7,?8,?9,?9)`,
          [
            id,
            publicId,
            userId,
            secretHash,
            JSON.stringify(scopes),
            extra.expiresAt ?? null,
            extra.revokedAt ?? null,
            tx.now,
          ],
        ),
      )
      return { id, key, headers: { 'x-api-key': key } }
    },
    /** Makes a one-time link for a user, and returns its token. */
    link: async (userId: string, purpose: 'invite' | 'reset'): Promise<string> => {
      const token = randomToken(32)
      await ctx.write('test.link', (tx) =>
        tx.insert(oneTimeLinks, { userId, purpose, tokenHash: sha256Hex(token), expiresAt: tx.now + 3_000_000 }),
      )
      return token
    },
  }
}

const cookieHeaders = (token: string) => ({
  cookie: `crm_session=${token}`,
  origin: 'http://localhost',
  'sec-fetch-site': 'same-origin',
})
