import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { systemClock } from '../../platform/clock.ts'
import { type Firm, foundFirm } from '../app.ts'
import { type GraphApi, startGraphApi } from '../fakes/graph-api.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

const PAGE = '10455501'
const FORM = '778812'

describe.skipIf(!chromiumPath)('an ad platform in the console', () => {
  let app: Console
  let firm: Firm
  let graph: GraphApi
  beforeAll(async () => {
    graph = startGraphApi()
    graph.pages.set(PAGE, { name: 'Meridian Cyprus', allowed: true })
    graph.addLeads(FORM, PAGE, 250, (index) => systemClock.now() - index * 60_000)
    app = await startConsole(undefined, { BROKERBASE_GRAPH_URL: graph.url })
    firm = await foundFirm(app.running.platform, 'ads')
  })
  afterAll(async () => {
    await app?.close()
    await graph?.stop()
  })

  test('an admin connects an ad platform, tests it and fetches older leads while the page counts them without a reload', async () => {
    await app.visit('/ads', { as: firm.as.admin }, async (page) => {
      await button(page, 'New connection').first().click()
      await page.getByLabel('Name').fill('Spring')
      await page.getByRole('combobox', { name: 'Pages' }).or(page.getByLabel('Pages')).first().fill(PAGE)
      await page.keyboard.press('Enter')
      await button(page, 'Add connection').click()
      await page.getByText('This is needed').first().waitFor()
      await page.getByLabel('Access token').fill(graph.token)
      await page.getByLabel('App secret').fill('the-secret-of-the-app')
      await page.getByLabel('Verify token').fill('our-verify-token')
      await button(page, 'Add connection').click()
      await page.getByRole('heading', { name: 'Spring' }).waitFor()

      await button(page, 'Test connection').click()
      const result = page.getByRole('dialog', { name: 'Test of Spring' })
      await result.getByText('Everything answered: leads can come.').waitFor()
      expect(await result.getByText('Meridian Cyprus').count()).toBe(1)
      await button(page, 'Close').last().click()

      await button(page, 'Fetch older leads').click()
      await page.getByLabel('Form', { exact: true }).fill(FORM)
      await button(page, 'Start fetching').click()
      // the page is not reloaded
      await page.getByText('250 fetched: 250 new, 0 known already, 0 failed').waitFor()
      await page.getByText('Done', { exact: true }).waitFor()
      expect(await page.content()).not.toContain(graph.token)
    })
    await app.visit('/leads', { as: firm.as.operator }, async (page) => {
      await page
        .getByText('Lea Number7', { exact: true })
        .or(page.getByText(/Lea Number\d+/))
        .first()
        .click()
      const drawer = page.getByRole('dialog')
      await drawer.getByText('social').waitFor()
      await drawer.getByText('What do you trade?').waitFor()
    })
  })

  test('a manager may read an ad platform and fetch its leads, but not change it; an operator has no such page', async () => {
    await app.visit('/ads', { as: firm.as.manager }, async (page) => {
      await page.getByText('Spring').first().click()
      await page.getByRole('heading', { name: 'Spring' }).waitFor()
      expect(await button(page, 'Test connection').count()).toBe(0)
      expect(await button(page, 'Fetch older leads').isEnabled()).toBe(true)
    })
    await app.visit('/ads', { as: firm.as.operator }, async (page) => {
      await page.getByText('This page is not for your role').waitFor()
    })
  })

  test('the pages of ad platforms cause no console error', () => expect(app.complaints).toEqual([]))
})
