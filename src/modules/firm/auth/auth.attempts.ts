import type { Ctx } from '../../../platform/access/ctx.ts'
import { toSite } from '../../../platform/access/networks.ts'
import { type Device, knowsAccount, readDevice } from './auth.device.ts'
import { createQueue, type Queue } from './auth.queue.ts'
import { createThrottle, slowDown, type Throttle, type Tryer } from './auth.throttle.ts'

/** Slows down guessing; the application has one. */
type Gate = { throttle: Throttle; queue: Queue }
export const createGate = (): Gate => ({ throttle: createThrottle(), queue: createQueue() })

/** The gate for one request, with the device that the request comes from. */
export type Tries = Gate & { device: Device | null; signal: AbortSignal }
export const createTries = (gate: Gate, ctx: Ctx, request: Request): Tries => ({
  ...gate,
  device: readDevice(ctx, request),
  signal: request.signal,
})

/** Returns the device if it signed in to this account before, else the network address. */
export const identifyTryer = (ctx: Ctx, { device }: Tries, account: string): Tryer =>
  device !== null && knowsAccount(ctx, device, account) ? { device: device.id } : { ip: ctx.ip }

const isDevice = (tryer: Tryer): boolean => 'device' in tryer

/** One try of a password, and the accounts at which it may be tried now. */
export type Try<T> = {
  allowed: readonly T[]
  /** Runs the slow check when it is its turn. */
  check<R>(run: () => Promise<R>): Promise<R>
  /** Notes that the password was right for these accounts, though a second factor may still be missing. */
  right(proven: readonly T[]): void
  /** Notes that the whole sign-in was right. */
  succeeded(proven: readonly T[], chosen: T): void
}

/**
 * Counts a try as a failure at each of its accounts until it is reported as right. Accounts at which this device or
 * address must wait are left out; throws the 429 if none remains. `nobody` is the account of an unknown address.
 * Unknown devices are first delayed if their address has many failures.
 */
export async function beginTry<T>(
  ctx: Ctx,
  tries: Tries,
  accounts: readonly { account: string; isStaff: boolean; of: T }[],
  nobody: string,
): Promise<Try<T>> {
  const { throttle, queue, signal } = tries
  const now = ctx.now()
  const targets = accounts.length > 0 ? accounts : [{ account: nobody, isStaff: false, of: null }]
  const pairs = targets.map((target) => ({ ...target, tryer: identifyTryer(ctx, tries, target.account) }))
  const waits = pairs.map(({ account, tryer }) => throttle.calculateWait(account, tryer, now))
  const open = pairs.filter((_, index) => waits[index] === 0)
  if (open.length === 0) throw slowDown(Math.min(...waits))
  for (const { account, tryer } of open) throttle.note(account, tryer, now)
  const known = open.filter(({ tryer }) => isDevice(tryer))
  const isKnown = known.length > 0
  const queueSlot = known.find(({ isStaff }) => isStaff) ?? known[0] ?? { site: toSite(ctx.ip) }
  const delay = isKnown ? 0 : throttle.countDelay(ctx.ip, now)
  if (delay > 0) await ctx.sleep(delay)
  const pickPairs = (proven: readonly T[]) => open.filter(({ of }) => of !== null && proven.includes(of))
  const right = (proven: readonly T[]): void => {
    for (const { account, tryer } of pickPairs(proven)) throttle.right(account, tryer)
    if (!isKnown) throttle.rightFrom(ctx.ip)
  }
  return {
    allowed: open.flatMap(({ of }) => (of === null ? [] : [of])),
    check: (run) => queue(queueSlot, run, signal),
    right,
    succeeded: (proven, chosen) => {
      right(proven)
      for (const { account, tryer } of pickPairs([chosen])) throttle.succeeded(account, tryer)
    },
  }
}

/** Logs a refused sign-in with its network address, the reason, and a keyed hash of the e-mail address. */
export function logRefusal(ctx: Ctx, reason: 'password' | 'unknown' | 'code' | 'slow_down', typed: string): void {
  const account = ctx.signatures.sign('log address', typed).slice(0, 16)
  ctx.log.warn({ requestId: ctx.requestId, ip: ctx.ip, reason, account }, 'a sign-in was refused')
}
