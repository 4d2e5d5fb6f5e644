import { atLeast, type Role } from '../../../platform/access/catalogue.ts'
import { HOUR } from '../../../platform/clock.ts'
import { ALONE_HOURS } from '../../../words/rule-figures.ts'
import { type SentenceKey, say } from '../../../words/say.ts'
import type { AccountAct } from './independence.table.ts'

/**
 * If the firm has no third person, an account with a second factor is its holder's alone after this time. RULES
 * “Independence”.
 */
export const TIME_ALONE = ALONE_HOURS * HOUR

/** Whether an account is its holder's alone; if not, who else controls it, and since when. */
export type Independence = { alone: boolean; belongsTo: string[]; since: number | null; why: string }

/** A person's act on another person's account. */
export type Act = { id: string; userId: string; byUserId: string; act: AccountAct; createdAt: number }
/** An account of the staff, and the acts on it. */
export type Account = {
  id: string
  role: Role
  active: boolean
  secondFactorAt: number | null
  mustChange: boolean
  /** The acts since the last vouch; each makes the account belong to its actor too. */
  acts: Act[]
  vouchedAt: number | null
}

/** The staff of a firm; `struckAt` is when somebody was last lost who could vouch. */
export type Staff = { accounts: ReadonlyMap<string, Account>; struckAt: number }

const SENTENCES: Record<AccountAct, SentenceKey | null> = {
  invited: 'independence.act.invited',
  password: 'independence.act.password',
  link: 'independence.act.link',
  second_factor: 'independence.act.second_factor',
  role: 'independence.act.role',
  stepped_down: null,
}

/** Returns everyone who controls an account: whoever acted on it, and whoever acted on those people's accounts. */
export function belongsTo({ accounts }: Staff, userId: string): Set<string> {
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

/**
 * Returns whether an account may vouch for another one: it is a third person's, of admin or higher, whom nobody
 * controls.
 */
export const mayVouch = (staff: Staff, voucher: Account, userId: string): boolean =>
  voucher.active &&
  !voucher.mustChange &&
  atLeast(voucher.role, 'admin') &&
  voucher.acts.length === 0 &&
  voucher.id !== userId &&
  !belongsTo(staff, userId).has(voucher.id)

const hasVoucher = (staff: Staff, userId: string): boolean =>
  [...staff.accounts.values()].some((voucher) => mayVouch(staff, voucher, userId))

/**
 * Returns when time alone makes an account its holder's; null while a third person could vouch or a second factor is
 * missing.
 */
function timeAlone(staff: Staff, account: Account): number | null {
  if (account.secondFactorAt === null || hasVoucher(staff, account.id)) return null
  const last = Math.max(...account.acts.map(({ createdAt }) => createdAt))
  // removing the third person must not shorten the wait
  return Math.max(last, account.secondFactorAt, staff.struckAt) + TIME_ALONE
}

/** Returns whether an account is its holder's alone at a moment. */
export function judgeIndependence(staff: Staff, userId: string, now: number): Independence {
  const account = staff.accounts.get(userId)
  if (!account) return { alone: false, belongsTo: [], since: null, why: say('independence.why.account_unknown') }
  const [first] = account.acts
  if (!first)
    return {
      alone: true,
      belongsTo: [],
      since: account.vouchedAt,
      why: say('independence.why.alone'),
    }
  const at = timeAlone(staff, account)
  if (at !== null && at <= now)
    return { alone: true, belongsTo: [], since: at, why: say('independence.why.alone_by_time') }
  return {
    alone: false,
    belongsTo: [...belongsTo(staff, userId)],
    since: Math.min(...account.acts.map(({ createdAt }) => createdAt)),
    why: whyNotAlone(account, at),
  }
}

/** Returns why an account is not its holder's alone; `at` is when waiting will make it so, if it will. */
function whyNotAlone(account: Account, at: number | null): string {
  const acts = [...new Set(account.acts.flatMap(({ act }) => SENTENCES[act] ?? []).map((word) => say(word)))].join(', ')
  return account.secondFactorAt === null
    ? say('independence.why.no_second_factor', { acts })
    : at === null
      ? say('independence.why.not_vouched_for', { acts })
      : say('independence.why.time_alone', { acts })
}
