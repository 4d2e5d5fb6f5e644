import { approveAdjustment, requestAdjustment } from '../../modules/adjustments/adjustments.service.ts'
import { files } from '../../modules/files/files.table.ts'
import { approve, reject, submit } from '../../modules/kyc/kyc.service.ts'
import { kycDocuments } from '../../modules/kyc/kyc.table.ts'
import { convertLead, createLead, updateLead } from '../../modules/leads/leads.service.ts'
import { addMessage, closeTicket, openTicket } from '../../modules/support/support.service.ts'
import { ibanOf } from '../../modules/withdrawals/iban.ts'
import {
  approveWithdrawal,
  payWithdrawal,
  rejectWithdrawal,
  requestWithdrawal,
} from '../../modules/withdrawals/withdrawals.service.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import type { Principal } from '../../platform/access/principal.ts'
import { DAY, HOUR, MINUTE } from '../../platform/clock.ts'
import { formatAmount } from '../../platform/money.ts'
import { specimenCard, specimenPdf } from './paper.ts'
import { places, plain, type Random } from './people.ts'
import type { Desk, Step } from './seed.ts'

/** What the desk's day is seeded with: the firm's people, and where a step may be put. */
export type DeskSeed = { random: Random; start: number; end: number; as: (principal: Principal) => Ctx; desk: Desk }
/** A trader as far as later steps go; `made.id` is there once the trader is. */
export type Client = {
  made: { id: string }
  name: string
  country: string
  joined: number
  currency: string
  manager: Principal
  clerk: Principal
}

/** Invented accounts by country: bank and branch; six digits make each one. The other countries have no IBAN. */
const BANKS: Readonly<Record<string, string>> = {
  AE: '0331 2345 6789 0',
  CY: '0020 0128 0000 0012 00',
  DE: '3704 0044 0532',
  ES: '2100 0418 4502 00',
  GB: 'MERI 6016 1331',
  PL: '1090 1014 0000 0712 19',
}
const accountIn = (country: string, digits: number): string => {
  const bank = BANKS[country]
  return bank === undefined ? `${country}-0005-21 ${digits}` : ibanOf(country, `${bank}${digits}`)
}
/** What the bank calls the holder: nearly always the client, and now and then somebody of the family. */
const holderOf = (random: Random, name: string): string =>
  random.chance(0.05) ? `${random.pick(['Maria', 'Jonas', 'Ines'])} ${name.split(' ').slice(1).join(' ')}` : name

/** For so long the desk leaves work undone: what is older was paid, and no approval lapses on the first day. */
const OPEN_FOR = 2 * DAY

/** Withdrawals of a client over time, in every state; the last days leave some to be decided. */
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
      holder: holderOf(random, name),
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

type Tint = readonly [number, number, number]
const TINTS: readonly [Tint, ...Tint[]] = [
  [46, 98, 140],
  [120, 74, 130],
  [40, 120, 96],
  [150, 96, 40],
]

/** Papers of a client: sealed like real ones, submitted, and mostly decided. */
export function seedKyc({ random, end, as }: DeskSeed, client: Client, level: number): Step[] {
  const { made, joined, manager, clerk } = client
  const state = { id: '' }
  const tint = random.pick(TINTS)
  const submitted = joined + random.between(1, 40) * HOUR
  const fate = random.next()
  const steps: Step[] = []
  const add = (at: number, run: () => Promise<unknown>) => {
    if (at < end) steps.push({ at, run })
  }
  add(submitted, async () => {
    const card = await storePaper(as(clerk), made.id, 'identity_card', 'image/png', specimenCard(tint))
    const bill = await storePaper(
      as(clerk),
      made.id,
      'proof_of_address',
      'application/pdf',
      specimenPdf('Utility bill'),
    )
    state.id = (await submit(as(clerk), { traderId: made.id, level, documentIds: [card, bill] })).id
  })
  add(submitted + random.between(3, 30) * HOUR, async () => {
    if (state.id === '') return
    if (fate < 0.12)
      await reject(as(manager), state.id, { code: random.pick(['unreadable', 'expired', 'address_old']) }, undefined)
    else await approve(as(manager), state.id, undefined, undefined)
  })
  return steps
}

/** A paper as if it had been uploaded: row, sealed bytes and document. */
async function storePaper(
  ctx: Ctx,
  traderId: string,
  kind: 'identity_card' | 'proof_of_address',
  contentType: string,
  bytes: Uint8Array,
): Promise<string> {
  return ctx.write('kyc.document_confirm', (tx) => {
    const size = bytes.byteLength
    const file = tx.insert(files, {
      traderId,
      purpose: 'kyc',
      contentType,
      size,
      status: 'attached',
      expiresAt: tx.now + DAY,
    })
    ctx.blobs.put(file.id, bytes, tx.now)
    return tx.insert(kycDocuments, { traderId, fileId: file.id, kind, contentType, size }).id
  })
}

/** Leads of the last months at every stage, some of them clients by now. */
export function seedLeads({ random, end, as, desk }: DeskSeed, count: number): Step[] {
  const all = places(random)
  const steps: Step[] = []
  for (let number = 0; number < count; number++) {
    const place = random.pick(all)
    const [firstName, lastName] = [random.pick(place.first), random.pick(place.last)]
    const at = end - Math.floor(random.next() ** 2 * 120 * DAY) - HOUR
    const state = { id: '' }
    const clerk = random.chance(0.5) ? desk.operator : desk.helper
    steps.push({
      at,
      run: async () => {
        const email = `${plain(firstName)}.${plain(lastName)}.lead${number}@mail.example`
        const source = random.pick(['Website form', 'Webinar', 'Google Ads', 'Referral', 'Trade fair'])
        state.id = (
          await createLead(as(clerk), {
            email,
            phone: place.dial(),
            firstName,
            lastName,
            country: place.country,
            language: place.language,
            source,
          })
        ).id
      },
    })
    const status = random.pick([
      'new',
      'new',
      'contacted',
      'contacted',
      'nurture',
      'qualified',
      'qualified',
      'unqualified',
      'junk',
      'convert',
    ] as const)
    const later = at + random.between(4, 90) * HOUR
    if (later >= end || status === 'new') continue
    steps.push({
      at: later,
      run: () =>
        status === 'convert'
          ? convertLead(as(clerk), state.id)
          : updateLead(as(clerk), state.id, { status, assignedTo: clerk.kind === 'user' ? clerk.id : null }, undefined),
    })
  }
  return steps
}

type Question = readonly [subject: string, body: string, category: string]
const QUESTIONS: readonly [Question, ...Question[]] = [
  [
    'Withdrawal still pending',
    'I asked for a withdrawal two days ago and it is still not paid. When can I expect it?',
    'payments',
  ],
  ['Cannot sign in to the platform', 'The platform says invalid account since this morning.', 'platform'],
  ['Change of address', 'I have moved. Which paper do you need?', 'documents'],
  ['Swap charge on gold', 'Why was I charged a swap on Wednesday three times?', 'trading'],
  ['Deposit by card failed', 'My bank says the payment went out, but I do not see it.', 'payments'],
  ['Leverage', 'Can I have a higher leverage on my second account?', 'trading'],
]
const REPLIES = [
  'Thank you for writing. I am looking into it and will be back today.',
  'This is settled now; please have a look.',
  'We need a recent proof of address, not older than three months.',
] as const

/** Tickets of clients: mostly answered and closed, the last ones open, a few late. */
export function seedTickets({ random, end, as, desk }: DeskSeed, clients: readonly Client[], count: number): Step[] {
  const steps: Step[] = []
  for (let number = 0; number < count; number++) {
    const client = clients[random.between(0, clients.length - 1)]
    if (!client) continue
    const at = Math.max(client.joined + DAY, end - Math.floor(random.next() ** 3 * 90 * DAY) - 20 * MINUTE)
    if (at >= end) continue
    const state = { id: '' }
    const clerk = random.chance(0.5) ? desk.operator : desk.helper
    const [subject, body, category] = random.pick(QUESTIONS)
    const priority = random.pick(['normal', 'normal', 'low', 'high', 'urgent'] as const)
    steps.push({
      at,
      run: async () => {
        state.id = (
          await openTicket(as({ kind: 'trader', id: client.made.id, sessionId: '', impersonatorId: null }), {
            subject,
            body,
            category,
            priority,
          })
        ).id
      },
    })
    const replied = at + random.between(20, 400) * MINUTE
    // nobody waits for weeks; of the last days some are late
    if (replied < end && (random.chance(0.85) || at < end - 6 * DAY)) {
      steps.push({
        at: replied,
        run: () => addMessage(as(clerk), state.id, { body: random.pick(REPLIES), keepOpen: random.chance(0.3) }),
      })
      if (random.chance(0.2))
        steps.push({
          at: replied + MINUTE,
          run: () => addMessage(as(clerk), state.id, { body: 'Checked with the back office first.', internal: true }),
        })
      const closed = replied + random.between(2, 40) * HOUR
      if (closed < end) steps.push({ at: closed, run: () => closeTicket(as(clerk), state.id, {}, undefined) })
    }
  }
  return steps
}

/** A handful of corrections, the last one waiting for its second person. */
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
