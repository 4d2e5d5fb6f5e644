import { addMessage, closeTicket, openTicket } from '../../modules/clients/support/support.service.ts'
import { DAY, HOUR, MINUTE } from '../../platform/clock.ts'
import type { Client, DeskSeed, Step } from './seed-step.ts'

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

/** Adds tickets of clients: mostly answered and closed, the last ones open, a few late. */
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
    // no old ticket stays open; some of the last days are late
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
