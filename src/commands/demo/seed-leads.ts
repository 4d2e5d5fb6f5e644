import { convertLead, createLead, updateLead } from '../../modules/growth/leads/leads.service.ts'
import { DAY, HOUR } from '../../platform/clock.ts'
import { places, plain } from './people.ts'
import type { DeskSeed, Step } from './seed-step.ts'

/** Adds leads of the last months at every stage, some of them clients by now. */
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
