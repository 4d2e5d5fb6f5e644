import { afterAll, beforeAll, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import { noteFinding } from '../findings/findings.service.ts'

let app: TestApp
let firm: Firm
let terminal: TradingServer
beforeAll(async () => {
  app = createTestApp({ config: NEAR })
  firm = await app.firm('alpha')
  terminal = await startTradingServer(app, firm)
})
afterAll(() => app.close())

/** Returns the figures of trading servers, without the states in which no connection is. */
const figures = async (): Promise<string[]> => {
  const text = await app.platform.metrics.text()
  return text.split('\n').filter((line) => /^brokerbase_terminal_/.test(line) && !/state="\w+"\} 0$/.test(line))
}
const tell = (state: string, lag: number, open = 0): string[] => [
  `brokerbase_terminal_connections{state="${state}"} 1`,
  `brokerbase_terminal_lag_seconds ${lag}`,
  `brokerbase_terminal_findings_open ${open}`,
]

test('the metrics tell how connections fare, since when one was not read, and how many findings are open', async () => {
  await terminal.read()
  expect(await figures()).toEqual(tell('connected', 0))
  await terminal.stop()
  await terminal.read(5 * MINUTE)
  await systemCtx(app.platform, firm.tenantId, 'test').write('test.finding', (tx) => {
    noteFinding(tx, { connectionId: terminal.id, kind: 'clock', subject: '' })
    return null
  })
  expect(await figures()).toEqual(tell('waiting', 300, 1))
  const path = `/v1/platforms/connections/${terminal.id}`
  const { body } = await app.call('GET', path, { as: firm.as.admin })
  const headers = { 'if-match': `"${body.version}"` }
  const paused = await app.call('PATCH', path, { as: firm.as.admin, body: { paused: true }, headers })
  expect(paused.status).toBe(200)
  expect(await figures()).toEqual(tell('paused', 0, 1))
})
