import type { Ctx } from '../../../platform/access/ctx.ts'
import { cookie, readCookie } from '../../../platform/access/session.ts'
import { DAY, SECOND } from '../../../platform/clock.ts'
import { randomToken } from '../../../platform/ids.ts'
import type { Owner } from './auth.owners.ts'

const NAME = 'crm_device'
const LIFE = 90 * DAY
/** Accounts that one browser remembers; beyond that the one signed in to longest ago is forgotten. */
const MAX_ACCOUNTS = 8

/**
 * A browser that signed in before: a random id, and keyed marks of the accounts with the time until which they count.
 */
export type Device = { id: string; accounts: readonly { mark: string; until: number }[] }

/** The one name of an account on the box, whoever's address it has. */
export const accountOf = (tenantId: string, owner: Owner): string =>
  `${tenantId}:${'userId' in owner ? owner.userId : owner.traderId}`

/**
 * What stands for an account in the cookie, under the box's key, since a
 * device may know several firms: nobody without it can tell whose it is.
 */
const markOf = ({ signatures }: Pick<Ctx, 'signatures'>, account: string): string =>
  signatures.sign('device account', account).slice(0, 22)

const SHAPE = /^([\w-]{22})((?:\.[\w-]{22}~\d{1,15}){1,8})\.([\w-]{43})$/

/**
 * The device behind a request; null without a cookie of ours, or with
 * one that was tampered with. RULES “Sign-in”.
 */
export function readDevice(ctx: Pick<Ctx, 'signatures'>, request: Request): Device | null {
  const [, id, marks, signature] = SHAPE.exec(readCookie(request.headers.get('cookie'), NAME) ?? '') ?? []
  if (!id || !marks || !signature || !ctx.signatures.verify('device', id + marks, signature)) return null
  const accounts = marks
    .slice(1)
    .split('.')
    .map((part) => ({ mark: part.slice(0, 22), until: Number(part.slice(23)) }))
  return { id, accounts }
}

/** Whether this device signed in to an account in the last 90 days. */
export function knowsAccount(ctx: Pick<Ctx, 'signatures' | 'now'>, device: Device | null, account: string): boolean {
  if (device === null) return false
  const mark = markOf(ctx, account)
  return device.accounts.some((known) => known.mark === mark && known.until > ctx.now())
}

/** The cookie of a device that has just signed in to an account. */
export function deviceCookie(ctx: Pick<Ctx, 'signatures' | 'now'>, device: Device | null, account: string): string {
  const mark = markOf(ctx, account)
  const others = (device?.accounts ?? []).filter((known) => known.mark !== mark && known.until > ctx.now())
  const accounts = [{ mark, until: ctx.now() + LIFE }, ...others].slice(0, MAX_ACCOUNTS)
  const text = [device?.id ?? randomToken(16), ...accounts.map((known) => `${known.mark}~${known.until}`)].join('.')
  return cookie(NAME, `${text}.${ctx.signatures.sign('device', text)}`, LIFE / SECOND)
}
