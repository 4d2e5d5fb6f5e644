import { noteLead } from '../../modules/growth/ads/ads.back-off.ts'
import { continueBackfill } from '../../modules/growth/ads/ads.backfill.ts'
import { toLeadInput } from '../../modules/growth/ads/ads.fields.ts'
import type { Bag, Graph } from '../../modules/growth/ads/ads.graph.ts'
import { createConnection, startBackfill, updateConnection } from '../../modules/growth/ads/ads.service.ts'
import { adBackfills, adConnections } from '../../modules/growth/ads/ads.table.ts'
import { captureLead } from '../../modules/growth/leads/leads.service.ts'
import type { Principal } from '../../platform/access/principal.ts'
import { DAY, HOUR, MINUTE, toIso } from '../../platform/clock.ts'
import { createRandom, places, plain } from './people.ts'
import type { DeskSeed, Step } from './seed-step.ts'

const PAGE = '104555010017'
const FORM = '778812004512'
const CAMPAIGNS = ['Gold in October', 'Learn to trade', 'Webinar with Ingrid'] as const
const TRADED = ['Gold', 'Currencies', 'Indices', 'Shares', 'Nothing yet'] as const
const SINCE = ['Less than a year', 'One to three years', 'Longer than three years'] as const

const robot: Principal = { kind: 'system', id: 'ads.fetch' }

/** Yields leads as the platform would send them, the newest last. */
function* invent({ end }: Pick<DeskSeed, 'end'>, count: number): Generator<{ at: number; lead: Bag }> {
  const random = createRandom(20_261_122)
  const all = places(random)
  for (let number = 0; number < count; number++) {
    const place = random.pick(all)
    const [first, last] = [random.pick(place.first), random.pick(place.last)]
    const at = end - Math.floor(((count - number) / count) * 70 * DAY) + random.between(1, 600) * MINUTE
    const answers: readonly (readonly [string, string])[] = [
      ['full_name', `${first} ${last}`],
      ['email', `${plain(first)}.${plain(last)}.ad${number}@mail.example`],
      ['phone_number', place.dial()],
      ['country', place.country],
      ['What would you like to trade?', random.pick(TRADED)],
      ['How long have you been trading?', random.pick(SINCE)],
    ]
    const lead = {
      id: String(884_120_000_000 + number * 17),
      created_time: toIso(Math.min(at, end)),
      ad_id: '23851201',
      ad_name: 'Short film',
      campaign_id: '23851100',
      campaign_name: random.pick(CAMPAIGNS),
      form_id: FORM,
      platform: random.pick(['fb', 'ig']),
      field_data: answers.map(([name, value]) => ({ name, values: [value] })),
    }
    yield { at: Math.min(at, end), lead }
  }
}

/** Adds a connection to an ad platform with a finished backfill; it is disabled, as its credentials are invented. */
export function seedAds({ end, as, desk }: DeskSeed): Step[] {
  const begun = end - 21 * DAY
  const leads = [...invent({ end: end - 6 * HOUR }, 90)]
  const made = { id: '' }
  const old = leads.filter(({ at }) => at < begun).map(({ lead }) => lead)
  const graph: Graph = { get: async () => ({ ok: true, value: { data: old } }) }
  const connect: Step = {
    at: begun,
    run: async () => {
      const credentials = { accessToken: 'no-token', appSecret: 'no-secret', verifyToken: 'no-verify-token' }
      const facts = { adAccountId: 'act_5511020', pageIds: [PAGE], pixelId: '9911200', credentials }
      made.id = (await createConnection(as(desk.admin), { platform: 'social', name: 'Autumn campaign', ...facts })).id
    },
  }
  const backfill: Step = {
    at: begun + 2 * MINUTE,
    run: async () => {
      const asked = { connectionId: made.id, formId: FORM, since: toIso(begun - 60 * DAY) }
      const { id } = await startBackfill(as(desk.manager), asked)
      const ctx = as(robot)
      const connection = ctx.db.get(adConnections, made.id)
      await continueBackfill(ctx, graph, connection, ctx.db.get(adBackfills, id), new AbortController().signal)
    },
  }
  const told = leads
    .filter(({ at }) => at >= begun + HOUR)
    .map(({ at, lead }): Step => {
      const run = () =>
        as(robot).write('ads.lead', (tx) => {
          captureLead(tx, as(robot), toLeadInput(lead))
          return noteLead(tx, made.id)
        })
      return { at, run }
    })
  const pause: Step = {
    at: end - 2 * HOUR,
    run: () => updateConnection(as(desk.admin), made.id, { status: 'disabled' }, undefined),
  }
  return [connect, backfill, ...told, pause]
}
