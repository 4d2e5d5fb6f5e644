import { sql } from 'drizzle-orm'
import { atLeast, getRank, type Role, topRole } from '../../../platform/access/catalogue.ts'
import { parseRoles } from '../../../platform/access/session.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { credentials } from '../auth/auth.table.ts'
import { users } from '../users/users.table.ts'
import {
  type Account,
  type Act,
  belongsTo,
  type Independence,
  judgeIndependence,
  mayVouch,
  type Staff,
} from './account-control.ts'
import { type AccountAct, accountActs, accountVouches, STRIKES } from './independence.table.ts'

type Vouch = { id: string; userId: string; createdAt: number }
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

/** Returns the part of an id that rises with time, also within one millisecond; the prefix differs by table. */
const order = (id: string): string => id.slice(id.indexOf('_') + 1)

/** The staff of a firm as people, at one moment. Only this decides whether two accounts are different people. */
export type People = ReturnType<typeof readPeople>

/** Reads the accounts of a firm with the acts on them. `db` must see the whole firm. */
export function readPeople(db: Reader, now: number) {
  const staff = readStaff(db)
  const { accounts } = staff
  const independence = (userId: string): Independence => judgeIndependence(staff, userId, now)

  /** Returns all accounts that count as one person with this one, itself included. */
  const listIdentity = (userId: string): Set<string> =>
    independence(userId).alone ? new Set([userId]) : belongsTo(staff, userId).add(userId)

  return {
    independence,
    mustChange: (userId: string): boolean => accounts.get(userId)?.mustChange ?? false,
    /** Returns whether the same person could use both accounts now; true if they are one account. */
    samePerson: (a: string, b: string): boolean => {
      const one = listIdentity(a)
      for (const id of listIdentity(b)) if (one.has(id)) return true
      return false
    },
    /** Returns the role of an active account; null for any other. */
    activeRole: (userId: string): Role | null => {
      const account = accounts.get(userId)
      return account?.active ? account.role : null
    },
    /** Returns the ids of active accounts, of this role or higher, that are their holder's alone. */
    alone: (role: Role): string[] =>
      [...accounts.values()]
        .filter((account) => account.active && getRank(account.role) >= getRank(role) && independence(account.id).alone)
        .map(({ id }) => id),
    /** Returns whether one account may vouch for another now. */
    mayVouch: (voucherId: string, userId: string): boolean => {
      const voucher = accounts.get(voucherId)
      return voucher !== undefined && independence(voucherId).alone && mayVouch(staff, { ...voucher, acts: [] }, userId)
    },
    /** Returns accounts that became their holder's alone by waiting, which is not stored yet. */
    ripened: (): string[] =>
      [...accounts.values()]
        .filter((account) => account.active && account.acts.length > 0 && independence(account.id).alone)
        .map(({ id }) => id),
  }
}

function readStaff(db: Reader): Staff {
  const accounts = new Map(db.query<UserRow>(USERS).map((row) => [row.id, toStaffAccount(row)]))
  const vouches = lastVouches(db)
  for (const [userId, { createdAt }] of vouches) {
    const account = accounts.get(userId)
    if (account) account.vouchedAt = createdAt
  }
  let struckAt = 0
  for (const act of db.query<Act>(ACTS)) {
    // somebody who could vouch is gone or controlled by others: the wait of other accounts begins again
    const isVoucher = act.act === 'stepped_down' || atLeast(accounts.get(act.userId)?.role ?? 'owner', 'admin')
    if (isStrike(act.act) && isVoucher) struckAt = Math.max(struckAt, act.createdAt)
    if (act.act === 'stepped_down') continue
    const vouch = vouches.get(act.userId)
    if (!vouch || order(act.id) > order(vouch.id)) accounts.get(act.userId)?.acts.push(act)
  }
  return { accounts, struckAt }
}

const toStaffAccount = (row: UserRow): Account => ({
  id: row.id,
  role: topRole(parseRoles(row.roles)),
  active: row.status === 'active' && row.deletedAt === null,
  secondFactorAt: row.secondFactorAt,
  mustChange: row.mustChange === 1,
  acts: [],
  vouchedAt: null,
})

function lastVouches(db: Reader): Map<string, Vouch> {
  const vouches = new Map<string, Vouch>()
  for (const vouch of db.query<Vouch>(VOUCHES)) {
    const known = vouches.get(vouch.userId)
    if (!known || order(vouch.id) > order(known.id)) vouches.set(vouch.userId, vouch)
  }
  return vouches
}
