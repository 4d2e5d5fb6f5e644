import type { Ctx } from '../../../platform/access/ctx.ts'
import { cookie, readCookie } from '../../../platform/access/session.ts'
import { DAY, SECOND } from '../../../platform/clock.ts'
import { randomToken } from '../../../platform/ids.ts'
import type { Owner } from './auth.owners.ts'

const NAME = 'crm_device'
const LIFE = 90 * DAY
/** One browser remembers this many accounts, and forgets first the one that it signed in to least recently. */
const MAX_ACCOUNTS = 8

/**
 * A browser that signed in before: a random id, and a keyed mark for each of its accounts with the time until which the
 * mark counts.
 */
export type Device = { id: string; accounts: readonly { mark: string; until: number }[] }

/** Returns the key of an account. It is unique in the box, even if several accounts have the same address. */
export const buildAccountKey = (tenantId: string, owner: Owner): string =>
  `${tenantId}:${'userId' in owner ? owner.userId : owner.traderId}`

/**
 * Returns the mark of an account in the cookie. It is keyed: a device may know accounts of several firms and must not
 * reveal whose they are.
 */
const signAccount = ({ signatures }: Pick<Ctx, 'signatures'>, account: string): string =>
  signatures.sign('device account', account).slice(0, 22)

const SHAPE = /^([\w-]{22})((?:\.[\w-]{22}~\d{1,15}){1,8})\.([\w-]{43})$/

/** Returns the device of a request; null without its cookie or with a wrong signature. RULES “Sign-in”. */
export function readDevice(ctx: Pick<Ctx, 'signatures'>, request: Request): Device | null {
  const [, id, marks, signature] = SHAPE.exec(readCookie(request.headers.get('cookie'), NAME) ?? '') ?? []
  if (!id || !marks || !signature || !ctx.signatures.verify('device', id + marks, signature)) return null
  const accounts = marks
    .slice(1)
    .split('.')
    .map((part) => ({ mark: part.slice(0, 22), until: Number(part.slice(23)) }))
  return { id, accounts }
}

/** Returns whether this device signed in to an account in the last 90 days. */
export function knowsAccount(ctx: Pick<Ctx, 'signatures' | 'now'>, device: Device | null, account: string): boolean {
  if (device === null) return false
  const mark = signAccount(ctx, account)
  return device.accounts.some((known) => known.mark === mark && known.until > ctx.now())
}

/** Returns the cookie of a device that has just signed in to an account. */
export function deviceCookie(ctx: Pick<Ctx, 'signatures' | 'now'>, device: Device | null, account: string): string {
  const mark = signAccount(ctx, account)
  const others = (device?.accounts ?? []).filter((known) => known.mark !== mark && known.until > ctx.now())
  const accounts = [{ mark, until: ctx.now() + LIFE }, ...others].slice(0, MAX_ACCOUNTS)
  const text = [device?.id ?? randomToken(16), ...accounts.map((known) => `${known.mark}~${known.until}`)].join('.')
  return cookie(NAME, `${text}.${ctx.signatures.sign('device', text)}`, LIFE / SECOND)
}
