import { traderHooks } from '../../composition.ts'
import { createDeposit, settleDeposit } from '../../modules/books/deposits/deposits.service.ts'
import { createTrader } from '../../modules/clients/traders/traders.service.ts'
import { views } from '../../modules/clients/views/views.table.ts'
import { mergeTraders } from '../../modules/overview/merges/merges.service.ts'
import { DAY, HOUR, MINUTE } from '../../platform/clock.ts'
import type { Client, DeskSeed, Step } from './seed-step.ts'

const AS_IT_IS = { expect: undefined, accepted: () => {} }

/** Adds two people who registered twice, one merged and one waiting for the merge, and a view by the owner. */
export function seedAdmin({ end, as, desk }: DeskSeed, clients: readonly Client[]): Step[] {
  const { owner, admin, manager, operator } = desk
  const twice = (joined: number, name: { firstName: string; lastName: string }, mail: string): Client['made'][] => {
    const made = [{ id: '' }, { id: '' }]
    for (const [index, one] of made.entries())
      steps.push({
        at: joined + index * DAY,
        run: async () => {
          const email = index === 0 ? `${mail}@mail.example` : `${mail}.new@post.example`
          const { id } = await createTrader(as(operator), traderHooks, {
            ...name,
            email,
            country: 'CY',
            segments: ['retail'],
          })
          one.id = id
          const money = { traderId: id, currency: 'EUR', amount: index === 0 ? '2500' : '740', method: 'bank' } as const
          const deposit = await createDeposit(as(operator), money)
          await settleDeposit(as(manager), deposit.id, AS_IT_IS)
        },
      })
    return made
  }
  const look = (at: number, reason: string, client: Client | undefined): Step => ({
    at,
    run: async () => {
      if (!client || owner.kind !== 'user') return
      await as(owner).write('view.start', (tx) => {
        const past = { role: owner.role, sessionId: `past-${at}`, ownSessionId: 'past' }
        const times = { expiresAt: at + 15 * MINUTE, endedAt: at + 4 * MINUTE }
        return tx.insert(views, { userId: owner.id, traderId: client.made.id, reason, ...past, ...times }).id
      })
    },
  })
  const steps: Step[] = []
  const [kept, merged] = twice(end - 40 * DAY, { firstName: 'Georgios', lastName: 'Petrou' }, 'g.petrou')
  twice(end - 6 * DAY, { firstName: 'Amalia', lastName: 'Fonseca' }, 'amalia.fonseca')
  steps.push(
    {
      at: end - 20 * DAY,
      run: async () => {
        if (kept && merged) await mergeTraders(as(admin), traderHooks, { primaryId: kept.id, secondaryId: merged.id })
      },
    },
    look(end - 9 * DAY, 'Says that the balance is not shown.', clients[3]),
    look(end - 5 * HOUR, 'Cannot find the withdrawal that was asked for yesterday.', clients[12]),
  )
  return steps
}
