import { expect } from 'bun:test'
import { fetchAdLeads } from '../modules/growth/ads/ads.jobs.ts'
import { type Answer, createTestApp, type Firm, type TestApp } from './app.ts'
import { leadNotification, startGraphApi } from './fakes/graph-api.ts'

/**
 * Starts an application with two firms and a stand-in for the ad platform, and returns the steps of tests about leads.
 */
export async function adsDesk() {
  const graph = startGraphApi()
  const lines: string[] = []
  const answers: Answer[] = []
  const app = createTestApp({
    config: { allowedNetworks: ['127.0.0.0/8'], graph: { url: graph.url, version: 'v24.0' } },
    log: (line) => void lines.push(line),
  })
  const firm = await app.firm('alpha')
  const other = await app.firm('beta')
  const appSecret = 'the-secret-of-our-app-0001'
  const verifyToken = 'our-verify-token-0002'
  let serial = 0
  /** Returns a number that is used nowhere else. */
  const number = (): string => {
    serial += 1
    return String(41_000 + serial)
  }
  const call: TestApp['call'] = async (...request) => {
    const answer = await app.call(...request)
    answers.push(answer)
    return answer
  }
  const connect = async (values: object = {}, of: Firm = firm) => {
    const page = number()
    graph.pages.set(page, { name: `Page ${page}`, allowed: true })
    const { status, body } = await call('POST', '/v1/ads/connections', {
      as: of.as.admin,
      body: {
        platform: 'social',
        name: 'Spring',
        credentials: { accessToken: graph.token, appSecret, verifyToken },
        pageIds: [page],
        ...values,
      },
    })
    expect(status).toBe(201)
    of.effects()
    return { id: String(body.id), page, path: `/v1/ads/connections/${body.id}` }
  }
  /** Adds a lead to the platform. */
  const lead = (page: string, given?: Record<string, string | string[]>): string => {
    const id = `99${number()}`
    const contact = given ?? { email: `p${id}@example.com`, full_name: 'Ada King Byron' }
    graph.leads.set(id, { id, form: '9', page, at: app.clock.now(), answers: contact })
    return id
  }
  return {
    app,
    firm,
    other,
    graph,
    appSecret,
    verifyToken,
    number,
    call,
    connect,
    lead,
    read: async (path: string, as = firm.as.manager) => (await call('GET', path, { as })).body,
    /** Sends the platform's notification of leads. */
    notify: (leads: readonly { page: string; lead: string }[], secret = appSecret) =>
      call('POST', '/v1/ads/meta/webhook', leadNotification(secret, leads)),
    /** Fetches the leads that wait. */
    run: (signal = new AbortController().signal) => fetchAdLeads.run({ platform: app.platform, signal }),
    /** Returns the notifications that are stored for a connection. */
    stored: (id: string) =>
      app.platform.reader.all<{ status: string; attempts: number; last_error: string | null }>(
        'SELECT status, attempts, last_error FROM ad_notifications WHERE connection_id = ? ORDER BY rowid',
        [id],
      ),
    findLead: (leadGenId: string, of: Firm = firm) =>
      app.platform.reader.get<{ id: string }>('SELECT id FROM leads WHERE tenant_id = ? AND lead_gen_id = ?', [
        of.tenantId,
        leadGenId,
      ]),
    /** Returns everything that was answered or logged so far, with the rows of the audit and the connections. */
    said: (): string[] => [
      ...answers.map(({ text }) => text),
      ...lines,
      ...app.platform.reader
        .all<{ text: string }>(`SELECT concat_ws(' ', before, after) AS text FROM audit_data`)
        .map(({ text }) => text),
      ...app.platform.reader
        .all<{ text: string }>(
          `SELECT last_error AS text FROM ad_connections WHERE last_error IS NOT NULL
          UNION ALL SELECT last_error FROM ad_notifications WHERE last_error IS NOT NULL`,
        )
        .map(({ text }) => text),
    ],
    close: async () => {
      await app.close()
      await graph.stop()
    },
  }
}
