import { composeIBAN } from 'ibantools'
import { approveAdjustment, requestAdjustment } from '../../modules/books/adjustments/adjustments.service.ts'
import { payWithdrawal } from '../../modules/books/withdrawals/withdrawals.pay.ts'
import { requestWithdrawal } from '../../modules/books/withdrawals/withdrawals.request.ts'
import { approveWithdrawal, rejectWithdrawal } from '../../modules/books/withdrawals/withdrawals.service.ts'
import { DAY, HOUR, MINUTE } from '../../platform/clock.ts'
import { formatAmount } from '../../platform/money.ts'
import type { Random } from './people.ts'
import type { Client, DeskSeed, Step } from './seed-step.ts'

/** Invented accounts by country: bank and branch, completed by six digits. The other countries have no IBAN. */
const BANKS: Readonly<Record<string, string>> = {
  AE: '0331 2345 6789 0',
  CY: '0020 0128 0000 0012 00',
  DE: '3704 0044 0532',
  ES: '2100 0418 4502 00',
  GB: 'MERI 6016 1331',
  PL: '1090 1014 0000 0712 19',
}
const accountIn = (country: string, digits: number): string => {
  const iban = composeIBAN({ countryCode: country, bban: `${BANKS[country] ?? ''}${digits}` })
  return iban ?? `${country}-0005-21 ${digits}`
}
/** Returns the holder's name at the bank: nearly always the client's, sometimes a relative's. */
const pickHolder = (random: Random, name: string): string =>
  random.chance(0.05) ? `${random.pick(['Maria', 'Jonas', 'Ines'])} ${name.split(' ').slice(1).join(' ')}` : name

/** Older withdrawals were decided and paid: the desk has only recent work, and no approval expires on the first day. */
const OPEN_FOR = 2 * DAY

/** Adds withdrawals of a client over time, in every state; recent ones wait for a decision. */
export function seedWithdrawals({ random, end, as, desk }: DeskSeed, client: Client): Step[] {
  if (!random.chance(0.4)) return []
  const { made, name, country, joined, currency, manager, clerk } = client
  const steps: Step[] = []
  const other = manager === desk.manager ? desk.second : desk.manager
  for (let index = 0; index < random.between(1, 3); index++) {
    const at = joined + 20 * DAY + Math.floor(random.next() * Math.max(0, end - joined - 20 * DAY))
    if (at >= end) continue
    const whole = random.between(60, random.chance(0.08) ? 15_000 : 900) * (currency === 'JPY' ? 150 : 1)
    const amount = formatAmount(BigInt(whole) * (currency === 'JPY' ? 1n : 100n), currency)
    const state = { id: '' }
    const destination = {
      kind: 'bank' as const,
      reference: accountIn(country, random.between(100000, 999999)),
      holder: pickHolder(random, name),
    }
    const fate = random.next()
    steps.push({
      at,
      run: async () => {
        state.id = (
          await requestWithdrawal(as(clerk), {
            traderId: made.id,
            currency,
            amount,
            destination,
          })
        ).id
      },
    })
    const later = (after: number, run: () => Promise<unknown>) => {
      if (at + after < end) steps.push({ at: at + after, run: () => (state.id === '' ? Promise.resolve() : run()) })
    }
    const wait = random.between(2, 44) * HOUR
    const isNew = at > end - OPEN_FOR
    if (fate < 0.08)
      later(wait, () =>
        rejectWithdrawal(
          as(manager),
          state.id,
          { detail: 'Please withdraw to an account in your own name.', note: 'Holder differs.' },
          undefined,
        ),
      )
    else {
      later(wait, () => approveWithdrawal(as(manager), state.id, 'Looked at the checks.', undefined))
      later(wait + 40 * MINUTE, () => approveWithdrawal(as(desk.admin), state.id, 'Second look done.', undefined))
      if (!isNew || fate < 0.94)
        later(wait + 4 * HOUR, () =>
          payWithdrawal(as(other), state.id, `PAY-${random.between(10_000_000, 99_999_999)}`, undefined),
        )
    }
  }
  return steps
}

/** Adds a withdrawal above the threshold, which waits for two people, for the first client who has that much. */
export function seedLargeWithdrawal({ end, as }: DeskSeed, clients: readonly Client[]): Step {
  const [currency, amount] = ['EUR', '12500.00']
  const run = async (): Promise<void> => {
    for (const { made, name, country, clerk } of clients.filter((client) => client.currency === currency)) {
      const destination = { kind: 'bank' as const, reference: accountIn(country, 480211), holder: name }
      const asked = requestWithdrawal(as(clerk), { traderId: made.id, currency, amount, destination })
      // other clients have less, or may not withdraw
      if (await asked.catch(() => null)) return
    }
  }
  return { at: end - 5 * HOUR, run }
}

/** Adds some corrections; the last one waits for its second person. */
export function seedAdjustments({ random, end, as, desk }: DeskSeed, clients: readonly Client[]): Step[] {
  return Array.from({ length: 12 }, (_, number): Step[] => {
    const client = clients[random.between(0, clients.length - 1)]
    const at = end - (12 - number) * 9 * DAY - random.between(1, 20) * HOUR
    if (!client || client.joined >= at) return []
    const state = { id: '' }
    const reason = random.pick([
      'Goodwill after a platform outage',
      'Fee charged twice',
      'Bonus of the spring campaign',
      'Correction of a wrong booking',
    ])
    const body = {
      currency: client.currency,
      direction: 'credit',
      amount: client.currency === 'JPY' ? '7500' : '50.00',
      reason,
    } as const
    return [
      {
        at,
        run: async () => {
          state.id = (await requestAdjustment(as(client.manager), { traderId: client.made.id, ...body })).id
        },
      },
      ...(number === 11
        ? []
        : [{ at: at + 3 * HOUR, run: () => approveAdjustment(as(desk.admin), state.id, undefined, undefined) }]),
    ]
  }).flat()
}
