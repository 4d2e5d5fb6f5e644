import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Firm, foundFirm } from '../app.ts'
import { type Console, chromiumPath, startConsole } from './browser.ts'
import { findWrongFigures } from './figures.ts'

setDefaultTimeout(120_000)

describe.skipIf(!chromiumPath)('figures and their rows', () => {
  let app: Console
  let firm: Firm
  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'figures')
    const broker = await firm.trader({ lastName: 'Broker' })
    const { id: affiliateId } = await app.ask('POST', '/v1/affiliates', firm.as.admin, {
      traderId: broker,
      code: 'NORTH',
    })
    for (const amount of ['900', '250.50']) {
      const traderId = await firm.trader({ lastName: 'Client' })
      await app.ask('PATCH', `/v1/traders/${traderId}`, firm.as.manager, { affiliateId })
      const deposit = { traderId, currency: 'EUR', amount, method: 'bank' }
      const { id } = await app.ask('POST', '/v1/deposits', firm.as.operator, deposit)
      await app.ask('POST', `/v1/deposits/${id}/settle`, firm.as.manager)
    }
    const gone = await firm.trader({ lastName: 'Gone' })
    await app.ask('DELETE', `/v1/traders/${gone}`, firm.as.manager)
  })
  afterAll(() => app?.close())

  test.each([
    '/',
    '/reports',
    '/reports?tab=cohorts',
    '/reports?tab=activity',
    '/affiliates',
    '/affiliates?tab=funnel',
  ])('each figure of %s opens a list of as many rows as it counts', (path) =>
    app.visit(path, { as: firm.as.owner }, async (page) => {
      await page.locator('a[data-rows]').first().waitFor({ state: 'attached' })
      await app.loaded(page)
      for (const figures of await page.locator('details.figures > summary').all()) await figures.click()
      expect(await findWrongFigures(page)).toEqual([])
    }),
  )
})
