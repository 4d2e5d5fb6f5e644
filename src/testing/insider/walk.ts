import { adjustments } from '../../modules/books/adjustments/adjustments.table.ts'
import { deposits } from '../../modules/books/deposits/deposits.table.ts'
import { type TransferRow, transfers } from '../../modules/books/transfers/transfers.table.ts'
import { payoutDestinations, withdrawals } from '../../modules/books/withdrawals/withdrawals.table.ts'
import { DAY } from '../../platform/clock.ts'
import type { TestApp } from '../app.ts'
import { brokenGuard, makeGuarded, OWN_DESTINATION } from './acts.blocks.ts'
import { soleApproval } from './acts.brokers.ts'
import { ACTS } from './acts.ts'
import { type Act, createSeededRandom, type Random } from './draw.ts'
import { connectDesks, leaveDesks } from './trading-desk.ts'
import { call, foundWorld, SOLE_LIMIT, THRESHOLD, WON, type World } from './world.ts'

type Dated = { at: number; amount: bigint }

/** Returns the largest sum within any 24 hours. */
function mostInADay(rows: readonly Dated[]): bigint {
  const sorted = rows.toSorted((a, b) => a.at - b.at)
  let most = 0n
  for (const [index, { at }] of sorted.entries()) {
    const sum = sorted.slice(index).reduce((total, row) => (row.at - at < DAY ? total + row.amount : total), 0n)
    if (sum > most) most = sum
  }
  return most
}

/** Returns what the insider released alone beyond what RULES “Approvals” allows one person; null if nothing. */
function theftIn(world: World, since: number): string | null {
  const { db } = world.ctx
  const guard = brokenGuard(world)
  if (guard !== null) return guard
  const mine = new Set(world.staff.map(({ id }) => id))
  // another check is about the honest money of guarded clients
  const own = new Set(db.list(payoutDestinations, { reference: OWN_DESTINATION }).map(({ id }) => id))
  const paid = db
    .list(withdrawals, { status: 'paid' })
    .filter(({ destinationId }) => !own.has(destinationId))
    .map((row) => ({ at: row.approvedAt ?? 0, amount: row.amount }))
  if (mostInADay(paid) > SOLE_LIMIT) return `${mostInADay(paid)} cents were paid out in a day`
  const settled = db
    .list(deposits, { status: ['settled', 'partially_settled'] })
    .filter((row) => row.createdAt > since && row.settledBy !== null)
    .map((row) => ({ at: row.settledAt ?? 0, amount: row.settledAmount ?? 0n }))
  if (mostInADay(settled) >= THRESHOLD) return `${mostInADay(settled)} cents were credited by hand in a day`
  const credits = db.list(adjustments, { status: 'approved', direction: 'credit' })
  if (credits.length > 0) return 'an adjustment was approved'
  const sole = soleApproval(world)
  if (sole !== null) return sole
  const moved = db.list(transfers, {}).filter((row) => row.createdAt > since && row.state !== 'refused')
  // a transfer through an account that changed its owner counts too
  const isGift = (row: TransferRow): boolean =>
    row.toTraderId !== null ||
    (row.kind === 'account_to_wallet' &&
      moved.some(({ kind, accountId, traderId }) => {
        const paidIn = kind === 'wallet_to_account' && accountId === row.accountId
        return paidIn && traderId !== row.traderId
      }))
  const gifts = moved.filter(isGift).map((row) => ({ at: row.createdAt, amount: row.fromAmount }))
  if (mostInADay(gifts) >= THRESHOLD) return `${mostInADay(gifts)} cents went to another client in a day`
  // honest reports are about the winner's profit, and about an account number that no honest person linked to a client
  for (const { id } of world.accounts) {
    // what an honest colleague brought home is judged when it is paid out
    const isCounted = ({ kind, createdBy }: TransferRow): boolean =>
      kind === 'wallet_to_account' || (createdBy !== null && mine.has(createdBy))
    const ofAccount = moved.filter((row) => row.accountId === id && isCounted(row))
    const net = ofAccount.reduce(
      (sum, row) => (row.kind === 'wallet_to_account' ? sum + row.toAmount : sum - row.fromAmount),
      0n,
    )
    const earned = id === world.winner.id ? WON : 0n
    if (net < -earned) return `${-net - earned} cents more came from an account than were there`
  }
  return null
}

export type Found = { seed: number; theft: string; acts: string[] }

/** Makes one walk of random acts by one dishonest person; returns what they stole, or null. */
export async function walk(app: TestApp, seed: number, length: number): Promise<Found | null> {
  const random = createSeededRandom(seed)
  const hasTerminal = seed % 6 === 4
  const isOwners = hasTerminal && seed % 12 === 4
  const usual =
    (['manager', 'admin', 'manager', hasTerminal ? 'manager' : 'operator', 'admin'] as const)[seed % 5] ?? 'manager'
  const role = isOwners ? 'owner' : usual
  const world = await foundWorld(app, `w${seed}`, role)
  world.isAboutCommission = seed % 3 === 0
  if (seed % 6 === 1) await makeGuarded(world)
  if (hasTerminal) await connectDesks(world, isOwners)
  if (random(3) === 0) await addKey(world)
  const since = app.clock.now()
  app.clock.advance(1)
  const end = since + 29 * DAY
  const acts: string[] = [role]
  let theft: string | null = null
  for (let step = 0; step < length && theft === null; step += 1) {
    const chosen = choose(world, random)
    // involvement counts for 30 days, so the walk ends within them
    if (!chosen || (chosen.name === 'wait' && app.clock.now() > end - 4 * DAY)) continue
    acts.push(chosen.name)
    await chosen.run(world, random)
    theft = chosen.name === 'wait' ? null : theftIn(world, since)
  }
  await leaveDesks(world)
  return theft === null ? null : { seed, theft, acts }
}

/** Chooses one act, by the current weights. */
function choose(world: World, random: Random): Act | undefined {
  const weights = ACTS.map((one) => one.weight(world))
  let left = (random(1_000_000) / 1_000_000) * weights.reduce((sum, weight) => sum + weight, 0)
  return ACTS.find((_, index) => {
    left -= weights[index] ?? 0
    return left < 0
  })
}

/** Makes an API key of the insider with every scope, if they may make one. */
async function addKey(world: World): Promise<void> {
  const [own] = world.staff
  if (own?.role === 'owner') {
    const { body } = await call(world, own, 'POST', '/v1/api-keys', { label: 'crook', scopes: KEY_SCOPES })
    world.staff.push({ headers: { 'x-api-key': body.key }, id: own.id, role: 'owner' })
  }
  if (own?.role !== 'admin') return
  const key = await world.firm.key(KEY_SCOPES, 'admin')
  world.staff.push({ ...key, id: own.id, role: 'admin' })
}

const KEY_SCOPES = [
  'users:write',
  'traders:write',
  'accounts:write',
  'wallets:write',
  'adjustment-decisions:write',
  'deposits:write',
  'deposit-decisions:write',
  'withdrawals:write',
  'withdrawal-decisions:write',
  'payouts:write',
  'fx:write',
  'psp:write',
  'affiliates:write',
  'affiliate-decisions:write',
  'gifts:write',
  'holds:write',
  'kyc:read',
  'kyc-decisions:write',
  'sanctions-decisions:write',
  'merges:write',
  'platforms:write',
] as const
