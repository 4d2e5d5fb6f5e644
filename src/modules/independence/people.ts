import { sql } from 'drizzle-orm'
import { atLeast, type Role, rankOf, topRole } from '../../platform/access/catalogue.ts'
import { parseRoles } from '../../platform/access/session.ts'
import { HOUR } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { say } from '../../words/say.ts'
import { credentials } from '../auth/auth.table.ts'
import { users } from '../users/users.table.ts'
import { type AccountAct, accountActs, accountVouches, STRIKES } from './independence.table.ts'

/**
 * After this long without a third person in the firm, an account with
 * a second factor is its holder's alone. RULES “Independence”.
 */
const TIME_ALONE = 72 * HOUR

/** Whether an account is its holder's alone, and if not, whose it also is and since when. */
type Standing = { alone: boolean; belongsTo: string[]; since: number | null; why: string }

type Act = { id: string; userId: string; byUserId: string; act: AccountAct; createdAt: number }
type Vouch = { id: string; userId: string; createdAt: number }
type Account = {
  id: string
  role: Role
  active: boolean
  secondFactorAt: number | null
  mustChange: boolean
  /** Acts after the last vouch: each makes the account belong to who did it. */
  acts: Act[]
  vouchedAt: number | null
}

const USERS = statement(
  sql`SELECT ${listed({
    id: users.id,
    roles: users.roles,
    status: users.status,
    deletedAt: users.deletedAt,
    mustChange: credentials.mustChange,
    secondFactorAt: sql`iif(${credentials.totpEnabled} = 1, ${credentials.totpEnabledAt}, NULL)`,
  })}
  FROM ${users} LEFT JOIN ${credentials}
    ON ${credentials.tenantId} = ${users.tenantId} AND ${credentials.userId} = ${users.id}
  WHERE ${users.tenantId} = ?1`,
)
const ACTS = statement(
  sql`SELECT ${listed({
    id: accountActs.id,
    userId: accountActs.userId,
    byUserId: accountActs.byUserId,
    act: accountActs.act,
    createdAt: accountActs.createdAt,
  })} FROM ${accountActs} WHERE ${accountActs.tenantId} = ?1`,
)
const VOUCHES = statement(
  sql`SELECT ${listed({
    id: accountVouches.id,
    userId: accountVouches.userId,
    createdAt: accountVouches.createdAt,
  })} FROM ${accountVouches} WHERE ${accountVouches.tenantId} = ?1`,
)

type UserRow = {
  id: string
  roles: string
  status: string
  deletedAt: number | null
  mustChange: number | null
  secondFactorAt: number | null
}

const isStrike = (act: AccountAct): boolean => STRIKES.some((strike) => strike === act)

/** Ids rise with time also within one millisecond; their prefixes differ by table. */
const order = (id: string): string => id.slice(id.indexOf('_') + 1)

const WORDS: Record<AccountAct, string> = {
  invited: say('independence.act.invited'),
  password: say('independence.act.password'),
  link: say('independence.act.link'),
  second_factor: say('independence.act.second_factor'),
  role: say('independence.act.role'),
  stepped_down: '',
}

/**
 * The staff of a firm as people, at one moment: the only place
 * that answers whether two accounts belong to different people.
 */
export type People = ReturnType<typeof peopleOf>

/** Reads the accounts of a firm with what was done to them. `db` must see all of the firm. */
export function peopleOf(db: Reader, now: number) {
  const accounts = new Map<string, Account>()
  for (const row of db.query<UserRow>(USERS)) {
    accounts.set(row.id, {
      id: row.id,
      role: topRole(parseRoles(row.roles)),
      active: row.status === 'active' && row.deletedAt === null,
      secondFactorAt: row.secondFactorAt,
      mustChange: row.mustChange === 1,
      acts: [],
      vouchedAt: null,
    })
  }
  const vouches = new Map<string, Vouch>()
  for (const vouch of db.query<Vouch>(VOUCHES)) {
    const known = vouches.get(vouch.userId)
    if (!known || order(vouch.id) > order(known.id)) vouches.set(vouch.userId, vouch)
  }
  for (const [userId, { createdAt }] of vouches) {
    const account = accounts.get(userId)
    if (account) account.vouchedAt = createdAt
  }
  let struckAt = 0
  for (const act of db.query<Act>(ACTS)) {
    // a third person is gone, or not their own any more: the wait of those who have none starts again
    const isVoucher = act.act === 'stepped_down' || atLeast(accounts.get(act.userId)?.role ?? 'owner', 'admin')
    if (isStrike(act.act) && isVoucher) struckAt = Math.max(struckAt, act.createdAt)
    if (act.act === 'stepped_down') continue
    const vouch = vouches.get(act.userId)
    if (!vouch || order(act.id) > order(vouch.id)) accounts.get(act.userId)?.acts.push(act)
  }

  /** Everybody whose account this also is: who acted on it, and on theirs in turn. */
  const belongsTo = (userId: string): Set<string> => {
    const found = new Set<string>()
    const visit = (id: string): void => {
      for (const { byUserId } of accounts.get(id)?.acts ?? []) {
        if (byUserId === userId || found.has(byUserId)) continue
        found.add(byUserId)
        visit(byUserId)
      }
    }
    visit(userId)
    return found
  }

  /** A third person who may vouch for an account: of admin or higher, whose own account is theirs alone. */
  const mayVouch = (voucher: Account, userId: string): boolean =>
    voucher.active &&
    !voucher.mustChange &&
    atLeast(voucher.role, 'admin') &&
    voucher.acts.length === 0 &&
    voucher.id !== userId &&
    !belongsTo(userId).has(voucher.id)

  const hasVoucher = (userId: string): boolean => [...accounts.values()].some((voucher) => mayVouch(voucher, userId))

  /**
   * When time alone makes an account its holder's, in a firm without a third person; null while that is not to be had.
   */
  const timeAlone = (account: Account): number | null => {
    if (account.secondFactorAt === null || hasVoucher(account.id)) return null
    const last = Math.max(...account.acts.map(({ createdAt }) => createdAt))
    // who removes the third person does not shorten the wait
    return Math.max(last, account.secondFactorAt, struckAt) + TIME_ALONE
  }

  const standing = (userId: string): Standing => {
    const account = accounts.get(userId)
    if (!account)
      return { alone: false, belongsTo: [], since: null, why: say('independence.why.there_no_such_account') }
    const [first] = account.acts
    if (!first)
      return {
        alone: true,
        belongsTo: [],
        since: account.vouchedAt,
        why: say('independence.why.nobody_else_could_sign'),
      }
    const at = timeAlone(account)
    if (at !== null && at <= now)
      return { alone: true, belongsTo: [], since: at, why: say('independence.why.no_third_person_there') }
    const acts = [...new Set(account.acts.map(({ act }) => WORDS[act]))].join(', ')
    const why =
      account.secondFactorAt === null
        ? say('independence.why.no_second_factor', { acts })
        : at === null
          ? say('independence.why.not_vouched_for', { acts })
          : say('independence.why.time_alone', { acts })
    return {
      alone: false,
      belongsTo: [...belongsTo(userId)],
      since: Math.min(...account.acts.map(({ createdAt }) => createdAt)),
      why,
    }
  }

  /** Every account that this one votes as one with, itself included. */
  const identityOf = (userId: string): Set<string> =>
    standing(userId).alone ? new Set([userId]) : belongsTo(userId).add(userId)

  return {
    standing,
    mustChange: (userId: string): boolean => accounts.get(userId)?.mustChange ?? false,
    /** Whether two accounts could be used by one person now; an account is always the same person as itself. */
    samePerson: (a: string, b: string): boolean => {
      const one = identityOf(a)
      for (const id of identityOf(b)) if (one.has(id)) return true
      return false
    },
    /** The role of an active account; null for anybody else. */
    activeRole: (userId: string): Role | null => {
      const account = accounts.get(userId)
      return account?.active ? account.role : null
    },
    /** Ids of active accounts of a role or higher that are their holder's alone. */
    alone: (role: Role): string[] =>
      [...accounts.values()]
        .filter((account) => account.active && rankOf(account.role) >= rankOf(role) && standing(account.id).alone)
        .map(({ id }) => id),
    /** Whether somebody may vouch for an account now. */
    mayVouch: (voucherId: string, userId: string): boolean => {
      const voucher = accounts.get(voucherId)
      return voucher !== undefined && standing(voucherId).alone && mayVouch({ ...voucher, acts: [] }, userId)
    },
    /** Accounts that became their holder's alone by time and have no word of it yet. */
    ripened: (): string[] =>
      [...accounts.values()]
        .filter((account) => account.active && account.acts.length > 0 && standing(account.id).alone)
        .map(({ id }) => id),
  }
}
