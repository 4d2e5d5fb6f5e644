import { accountHooks, traderHooks } from '../../composition.ts'
import { createAccount } from '../../modules/books/accounts/accounts.service.ts'
import {
  createDeposit,
  failDeposit,
  partialSettleDeposit,
  settleDeposit,
} from '../../modules/books/deposits/deposits.service.ts'
import { addNote, createTrader, deleteTrader, updateTrader } from '../../modules/clients/traders/traders.service.ts'
import { traders } from '../../modules/clients/traders/traders.table.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import type { Principal } from '../../platform/access/principal.ts'
import { DAY, HOUR, MINUTE } from '../../platform/clock.ts'
import { formatAmount, getScale } from '../../platform/money.ts'
import { places, plain, type Random } from './people.ts'
import { seedWithdrawals } from './seed-desk.ts'
import { seedKyc } from './seed-kyc.ts'
import type { Client, DeskSeed, Step } from './seed-step.ts'

/** Settles a deposit without a check of its version. */
const AS_IT_IS = { expect: undefined, accepted: () => {} }

type Life = DeskSeed & { number: number; gateways: readonly [string, string] }

const SEGMENTS = ['retail', 'retail', 'retail', 'professional', 'vip'] as const
const SOURCES = ['Website', 'Referral', 'Google Ads', 'Webinar', 'Partner', 'Trade fair'] as const
const NOTES = [
  'Called about platform access; sorted out.',
  'Prefers to be contacted by e-mail in the afternoon.',
  'Asked for the fee schedule of metals.',
  'Bank confirmed the sender of the last wire.',
  'Interested in a professional account, sent the criteria.',
  'Moved house, new address confirmed by utility bill.',
] as const

/** Adds a step at this time after a client joined, if that time is past. */
type Later = (after: number, run: () => Promise<unknown>) => void
/** A client that is being made, and the colleagues who look after them. */
type Person = {
  place: ReturnType<typeof places>[number]
  firstName: string
  lastName: string
  clerk: Principal
  manager: Principal
  made: { id: string }
  later: Later
}

/** Returns the profile with which a client is added. */
function buildProfile({ random, number }: Life, { place, firstName, lastName, clerk }: Person) {
  const segment = random.pick(SEGMENTS)
  const part = (from: number, to: number) => String(random.between(from, to)).padStart(2, '0')
  return {
    email: `${plain(firstName)}.${plain(lastName)}${number}@mail.example`,
    phone: place.dial(),
    firstName,
    lastName,
    country: place.country,
    language: place.language,
    dateOfBirth: `${random.between(1955, 2004)}-${part(1, 12)}-${part(1, 28)}`,
    address: {
      street: `${random.between(1, 180)} ${random.pick(['Harbour Road', 'Mill Lane', 'Station Street', 'Olive Avenue'])}`,
      city: random.pick(place.cities),
    },
    segments: [segment],
    tags: random.chance(0.15) ? [random.pick(['newsletter', 'swap-free', 'high-volume', 'call-back'])] : [],
    source: random.pick(SOURCES),
    assignedTo: clerk.kind === 'user' && random.chance(0.7) ? clerk.id : null,
  }
}

/** Adds the client's accounts on the trading platform; a second one may be a demo account. */
function openAccounts({ random, number, as }: Life, { place, clerk, made, later }: Person): void {
  const accounts = random.pick([1, 1, 1, 2, 2, 3])
  for (let index = 0; index < accounts; index++) {
    const currency = place.currency === 'JPY' ? 'JPY' : random.chance(0.8) ? place.currency : 'USD'
    const balance = minor(random, currency, 0, 30_000)
    later(random.between(1, 90) * HOUR + index * DAY, () =>
      createAccount(as(clerk), accountHooks, {
        traderId: made.id,
        platform: 'terminal5',
        externalId: `t5-${100_000 + number * 3 + index}`,
        accountNumber: String(7_000_000 + number * 3 + index),
        currency,
        balance: formatAmount(balance, currency),
        equity: formatAmount(balance, currency),
        leverage: random.pick([30, 30, 50, 100, 200]),
        isDemo: index > 0 && number % 4 === 0,
      }),
    )
  }
}

/** Adds notes, holds and departures. */
function turns({ random, number, end, as }: Life, { clerk, manager, made, later }: Person): Step[] {
  if (random.chance(0.3))
    later(random.between(2, 60) * DAY, () => addNote(as(clerk), made.id, { body: random.pick(NOTES) }))
  if (random.chance(0.03))
    later(random.between(30, 200) * DAY, () =>
      updateTrader(as(manager), traderHooks, made.id, { status: 'suspended', riskLevel: 'high' }, undefined),
    )
  else if (random.chance(0.1))
    later(random.between(5, 100) * DAY, () =>
      updateTrader(as(clerk), traderHooks, made.id, { riskLevel: 'medium' }, undefined),
    )
  if (number % 401 !== 7) return []
  const leave = async () => (made.id === '' ? null : deleteTrader(as(manager), traderHooks, made.id, undefined))
  return [{ at: end - random.between(1, 20) * DAY, run: leave }]
}

/** Returns all steps of one client, each at its time; later steps use what earlier ones made. */
export function traderLife(life: Life): { client: Client; steps: Step[] } {
  const { random, start, end, as, desk, gateways } = life
  const place = random.pick(places(random))
  const firstName = random.pick(place.first)
  const lastName = random.pick(place.last)
  // more clients join as the firm grows
  const joined = start + Math.floor(Math.sqrt(random.next()) * (end - start))
  const steps: Step[] = []
  const later: Later = (after, run) => {
    if (joined + after < end) steps.push({ at: joined + after, run })
  }
  const made = { id: '' }
  const clerk = random.chance(0.5) ? desk.operator : desk.helper
  const manager = random.chance(0.6) ? desk.manager : desk.second
  const person: Person = { place, firstName, lastName, clerk, manager, made, later }
  const profile = buildProfile(life, person)
  later(0, async () => {
    made.id = (await createTrader(as(clerk), traderHooks, profile)).id
  })
  const { country, currency } = place
  const client: Client = { made, name: `${firstName} ${lastName}`, country, joined, currency, manager, clerk }
  const level = random.chance(0.75) ? random.between(1, 3) : 0
  // only the newest clients get sealed documents; for the others the outcome is enough
  if (level > 0 && end - joined < 45 * DAY) steps.push(...seedKyc(life, client, level))
  else if (level > 0) {
    later(random.between(4, 70) * HOUR, () =>
      as(manager).write('kyc.approve', (tx) => {
        tx.update(traders, made.id, { kycLevel: level, kycStatus: 'approved' })
        return null
      }),
    )
  }
  openAccounts(life, person)
  addDeposits({ random, later, made, as, clerk, manager, currency, gateways, span: end - joined })
  steps.push(...seedWithdrawals(life, client))
  steps.push(...turns(life, person))
  return { client, steps }
}

/** Returns an amount in this range of whole units, with cents if the currency has them. */
const minor = (random: Random, currency: string, low: number, high: number): bigint => {
  const scale = 10 ** getScale(currency)
  const yen = currency === 'JPY' ? 150 : 1
  return BigInt(random.between(low, high) * yen * scale + (random.chance(0.3) ? random.between(0, scale - 1) : 0))
}

type Money = {
  random: Random
  later: Later
  made: { id: string }
  as: (principal: Principal) => Ctx
  clerk: Principal
  manager: Principal
  currency: string
  gateways: readonly [string, string]
  span: number
}

/** Adds deposits over the client's time with the firm, in every state; recent ones wait for the desk. */
function addDeposits({ random, later, made, as, clerk, manager, currency, gateways, span }: Money): void {
  const count = random.pick([0, 1, 1, 2, 2, 3, 4, 6])
  for (let index = 0; index < count; index++) {
    const at = random.between(1, 5) * DAY + Math.floor(random.next() * Math.max(0, span - 6 * DAY))
    const method = random.pick(['card', 'card', 'bank', 'bank', 'wallet', 'crypto'] as const)
    const amount = minor(random, currency, 100, random.chance(0.1) ? 50_000 : 5_000)
    const deposit = { id: '' }
    const fate = random.next()
    const wait = method === 'bank' ? random.between(20, 70) * HOUR : random.between(2, 40) * MINUTE
    later(at, async () => {
      const row = await createDeposit(as(clerk), {
        traderId: made.id,
        currency,
        amount: formatAmount(amount, currency),
        method,
        ...(method === 'card'
          ? { pspConnectionId: gateways[0] }
          : method === 'bank'
            ? { pspConnectionId: gateways[1] }
            : {}),
        providerReference: `${method.slice(0, 2).toUpperCase()}-${random.between(10_000_000, 99_999_999)}`,
      }).catch(() => null)
      deposit.id = row?.id ?? ''
    })
    later(at + wait, async () => {
      if (deposit.id === '') return
      const ctx = as(manager)
      if (fate < 0.86) await settleDeposit(ctx, deposit.id, AS_IT_IS)
      else if (fate < 0.91) {
        const settled = amount - amount / 40n
        await partialSettleDeposit(
          ctx,
          deposit.id,
          { settledAmount: formatAmount(settled, currency), notes: 'The bank kept its fee.' },
          AS_IT_IS,
        )
      } else
        await failDeposit(
          ctx,
          deposit.id,
          {
            reason: random.pick([
              'Card declined by the issuer',
              'Wire returned: name mismatch',
              'Expired without payment',
            ]),
          },
          undefined,
        )
    })
  }
}
