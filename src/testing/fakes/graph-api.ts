import { createHmac } from 'node:crypto'

type Json = Record<string, unknown>

/** A lead of the platform. `at` is in milliseconds. */
type FakeLead = {
  id: string
  form: string
  page: string
  at: number
  answers: Record<string, string | string[]>
  facts?: Json
}

type Refusal = { status: number; body: Json; headers?: Record<string, string> }

type GraphCall = { path: string; search: URLSearchParams; authorization: string | null; url: string }

export type GraphApi = {
  /** The value for `BROKERBASE_GRAPH_URL`. */
  url: string
  token: string
  calls: GraphCall[]
  /** Leads by id; a lead that is removed here no longer exists on the platform. */
  leads: Map<string, FakeLead>
  pages: Map<string, { name: string; allowed: boolean }>
  /** Lets the token expire, or makes it valid again. */
  expire(on: boolean): void
  /** Refuses the next calls as too many. A header has the minutes to wait if they are given. */
  throttleNext(count: number, minutes?: number, code?: number): void
  /** Throttles every n-th call; 0 throttles none. */
  throttleEvery(nth: number, minutes?: number): void
  /** Delays every answer from now on. */
  delay(ms: number): void
  /** Answers the next calls with these refusals. */
  answerNext(...answers: Refusal[]): void
  addLeads(form: string, page: string, count: number, at?: (index: number) => number): void
  stop(): Promise<void>
}

/** The errors of the platform, which repeats a malformed token in its text. */
export const graphErrors = {
  throttled: (code: number, minutes?: number): Refusal => ({
    status: 400,
    body: { error: { message: '(#80005) There have been too many leadgen api calls.', type: 'OAuthException', code } },
    headers:
      minutes === undefined
        ? {}
        : {
            'x-business-use-case-usage': JSON.stringify({
              '1234567890': [
                { type: 'leadgen', call_count: 100, total_cputime: 25, estimated_time_to_regain_access: minutes },
                { type: 'ads_management', call_count: 3, estimated_time_to_regain_access: 0 },
              ],
            }),
          },
  }),
  badToken: (token: string): Refusal => ({
    status: 400,
    body: { error: { message: `Malformed access token ${token}`, type: 'OAuthException', code: 190 } },
  }),
  expired: {
    status: 400,
    body: {
      error: {
        message: 'Error validating access token: Session has expired on Thursday, 15-Jan-26 04:00:00 PST.',
        type: 'OAuthException',
        code: 190,
        error_subcode: 463,
      },
    },
  } satisfies Refusal,
  noPermission: {
    status: 403,
    body: {
      error: { message: '(#200) Requires pages_manage_ads permission', type: 'OAuthException', code: 200 },
    },
  } satisfies Refusal,
  gone: (id: string): Refusal => ({
    status: 400,
    body: {
      error: {
        message: `Unsupported get request. Object with ID '${id}' does not exist`,
        type: 'GraphMethodException',
        code: 100,
        error_subcode: 33,
      },
    },
  }),
  broken: { status: 503, body: {} } satisfies Refusal,
}

/** Returns the platform's notification of new leads as bytes, with the signature under the app's secret. */
export function leadNotification(
  appSecret: string,
  leads: readonly { page: string; form?: string; lead: string }[],
): { raw: string; headers: Record<string, string> } {
  const entry = leads.map(({ page, form, lead }) => ({
    id: page,
    time: 1_768_478_400,
    changes: [
      {
        field: 'leadgen',
        value: { leadgen_id: lead, page_id: page, form_id: form ?? '9', created_time: 1_768_478_400 },
      },
    ],
  }))
  const raw = JSON.stringify({ object: 'page', entry })
  return { raw, headers: signed(appSecret, raw) }
}

/** Returns the headers of a notification with these bytes. */
export const signed = (appSecret: string, raw: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(raw).digest('hex')}`,
})

/** Returns a time such as `2026-01-15T12:00:00+0000`. */
const formatGraphTime = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, '+0000')

/** Returns only the requested fields, and always the id. */
const only = (whole: Json, fields: string | null): Json =>
  Object.fromEntries(
    Object.entries(whole).filter(([name]) => name === 'id' || (fields ?? 'id').split(',').includes(name)),
  )

const toWire = ({ id, form, at, answers, facts = {} }: FakeLead): Json => ({
  id,
  created_time: formatGraphTime(at),
  form_id: form,
  ad_id: '71',
  ad_name: 'Spring video',
  campaign_id: '81',
  campaign_name: 'Spring',
  platform: 'fb',
  field_data: Object.entries(answers).map(([name, value]) => ({ name, values: [value].flat() })),
  ...facts,
})

/** Starts a stand-in for the ad platform's Graph API on 127.0.0.1, with its cursors, fields, limits and errors. */
export function startGraphApi(): GraphApi {
  const token = `EAAB${'x7'.repeat(60)}`
  const leads = new Map<string, FakeLead>()
  const pages = new Map<string, { name: string; allowed: boolean }>()
  const calls: GraphCall[] = []
  const queue: Refusal[] = []
  let expired = false
  let every = { nth: 0, minutes: undefined as number | undefined }
  let delayMs = 0

  const listLeads = (form: string, search: URLSearchParams, base: string): Json => {
    const [filter] = JSON.parse(search.get('filtering') ?? '[{"value":0}]')
    const all = [...leads.values()]
      .filter((lead) => lead.form === form && lead.at / 1000 > Number(filter.value))
      // the platform returns the newest first
      .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    const limit = Math.min(Number(search.get('limit') ?? 25), 100)
    const after = search.get('after')
    // the cursor names the last row and not a number of rows, so new leads before it change nothing
    const last = after === null ? undefined : Buffer.from(after, 'base64url').toString()
    const from = last === undefined ? 0 : all.findIndex(({ id }) => id === last) + 1
    const page = all.slice(from, from + limit)
    const data = page.map((lead) => only(toWire(lead), search.get('fields')))
    if (page.length === 0) return { data }
    const cursor = (lead: FakeLead | undefined) => Buffer.from(lead?.id ?? '').toString('base64url')
    const cursors = { before: cursor(page[0]), after: cursor(page.at(-1)) }
    const more = from + limit < all.length
    // the real platform writes the token into this address too
    const next = `${base}/${form}/leads?access_token=${token}&limit=${limit}&after=${cursors.after}`
    return { data, paging: { cursors, ...(more ? { next } : {}) } }
  }

  const answer = (call: GraphCall, base: string): Refusal => {
    const [, , first = '', second] = call.path.split('/')
    const given = call.authorization?.replace(/^Bearer /, '') ?? ''
    if (given !== token) return graphErrors.badToken(given)
    if (expired) return graphErrors.expired
    const planned = queue.shift()
    if (planned) return planned
    if (every.nth > 0 && calls.length % every.nth === 0) return graphErrors.throttled(80005, every.minutes)
    const fields = call.search.get('fields')
    const ok = (body: Json): Refusal => ({ status: 200, body })
    if (second === 'leads') return ok(listLeads(first, call.search, base))
    if (first === 'me') return ok(only({ id: '1000', name: 'Marketing robot' }, fields))
    if (first.startsWith('act_')) return ok(only({ id: first, name: 'Ad account' }, fields))
    const page = pages.get(first)
    if (page) return page.allowed ? ok(only({ id: first, name: page.name }, fields)) : graphErrors.noPermission
    const lead = leads.get(first)
    if (!lead) return graphErrors.gone(first)
    return pages.get(lead.page)?.allowed === false ? graphErrors.noPermission : ok(only(toWire(lead), fields))
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname, searchParams, origin } = new URL(request.url)
      const authorization = request.headers.get('authorization')
      const call = { path: pathname, search: searchParams, authorization, url: request.url }
      calls.push(call)
      const { status, body, headers } = answer(call, `${origin}/v24.0`)
      if (delayMs > 0) await Bun.sleep(delayMs)
      return Response.json(body, { status, ...(headers ? { headers } : {}) })
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    token,
    calls,
    leads,
    pages,
    expire: (on) => {
      expired = on
    },
    throttleNext: (count, minutes, code = 80005) => {
      for (let n = 0; n < count; n += 1) queue.push(graphErrors.throttled(code, minutes))
    },
    throttleEvery: (nth, minutes) => {
      every = { nth, minutes }
    },
    delay: (ms) => {
      delayMs = ms
    },
    answerNext: (...answers) => {
      queue.push(...answers)
    },
    addLeads: (form, page, count, at = (index) => Date.UTC(2026, 0, 10) + index * 1000) => {
      for (let index = 0; index < count; index += 1) {
        const id = `${form}${String(index).padStart(9, '0')}`
        const answers = {
          email: `lead${id}@example.com`,
          full_name: `Lea Number${index}`,
          'What do you trade?': 'Gold',
        }
        leads.set(id, { id, form, page, at: at(index), answers })
      }
    },
    stop: () => server.stop(true),
  }
}
