import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { systemClock, toIso } from '../../platform/clock.ts'
import { type Caller, type Firm, foundFirm } from '../app.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

describe.skipIf(!chromiumPath)('reports and the SQL page', () => {
  let app: Console
  let firm: Firm
  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'reports')
    for (const [firstName, amount] of [
      ['Anna', '900'],
      ['Boris', '250.50'],
    ] as const) {
      const traderId = await firm.trader({ firstName, lastName: 'Client' })
      const deposit = { traderId, currency: 'EUR', amount, method: 'bank' }
      const { id } = await app.ask('POST', '/v1/deposits', firm.as.operator, deposit)
      await app.ask('POST', `/v1/deposits/${id}/settle`, firm.as.manager)
    }
    await firm.trader({ firstName: 'Clara', lastName: 'Client' })
  })
  afterAll(() => app?.close())

  const at = <T>(path: string, as: Caller, act: (page: Page) => Promise<T>) => app.visit(path, { as }, act)
  /** Returns the text of the file that a click downloads. */
  const downloaded = async (page: Page, name: string): Promise<string> => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText(name, { exact: true }).click()])
    return Bun.file(await download.path()).text()
  }

  test('a report shows money and new clients by day, and the figures of each bar', () =>
    at('/reports', firm.as.manager, async (page) => {
      await page.getByText('1,150.50').first().waitFor()
      await page.locator('.report-chart svg').first().waitFor()
      await page.getByText('In figures').last().click()
      const row = page.getByRole('table', { name: 'New clients' }).getByRole('row').last()
      expect(await row.getByRole('cell').allTextContents()).toEqual([expect.any(String), '3', '2'])
      await row.getByRole('link', { name: '3' }).click()
      await page.getByText('3 rows').waitFor()
      await page.goBack()
      await page.locator('.report-chart').first().locator('.recharts-bar-rectangle path').last().click()
      await page.getByRole('heading', { level: 1, name: 'Deposits' }).waitFor()
      await page.getByText('2 rows').waitFor()
    }))

  test('the report of cohorts colours them by their share, and is downloaded', () =>
    at('/reports?tab=cohorts', firm.as.manager, async (page) => {
      const row = page.getByRole('table', { name: 'Clients by month of registration' }).getByRole('row').last()
      await row.waitFor()
      expect((await row.getByRole('cell').allTextContents()).slice(0, 2)).toEqual(['3', '67%'])
      const month = toIso(systemClock.now()).slice(0, 7)
      expect(await downloaded(page, 'Export CSV')).toContain(`${month},3,0,${month},2,2\n`)
    }))

  test('the tax report shows the figures of the books, and is downloaded', () =>
    at('/reports?tab=tax', firm.as.manager, async (page) => {
      const table = page.getByRole('table', { name: 'Movements by client and currency' })
      const row = table.getByRole('row').filter({ hasText: 'Boris Client' })
      await row.waitFor()
      // a name is on one line, and is not broken to make room for the figures
      const link = await row.getByRole('link', { name: 'Boris Client' }).boundingBox()
      expect([(link?.width ?? 0) > 60, (link?.height ?? 0) < 30]).toEqual([true, true])
      const cells = await row.getByRole('cell').allTextContents()
      expect([cells[1], cells[3], cells[11]]).toEqual(['EUR', '250.50', '250.50'])
      const file = await downloaded(page, 'Export CSV')
      expect(file.split('\n').filter((line) => line.includes(' Client,'))).toHaveLength(2)
      expect(file).toContain('\nAnna Client,,EUR,0.00,900.00,0.00,')
    }))

  test('an owner writes an SQL query with suggested names, sees rows and bars, and finds the query again later', () =>
    at('/sql', firm.as.owner, async (page) => {
      const editor = page.getByLabel('SQL query')
      await editor.fill(
        'SELECT first_name, d.amount_decimal FROM deposits d JOIN traders t ON t.id = d.trader_id ORDER BY d.am',
      )
      await editor.press('End')
      await editor.pressSequentially('o')
      await page.getByRole('option', { name: 'd.amount', exact: true }).waitFor()
      await editor.press('Tab')
      expect(await editor.inputValue()).toEndWith('ORDER BY d.amount')
      await editor.press('Control+Enter')
      const result = page.getByRole('table', { name: 'Result' })
      await result.getByRole('cell', { name: '250.50' }).waitFor()
      expect(await result.getByRole('row').nth(1).getByRole('cell').allTextContents()).toEqual(['Boris', '250.50'])
      expect(await downloaded(page, 'Export CSV')).toBe('first_name,amount_decimal\nBoris,250.50\nAnna,900.00\n')
      await page.getByText('Chart', { exact: true }).click()
      await page.locator('.report-chart svg .recharts-bar-rectangle').first().waitFor()
      await editor.fill('SELECT * FROM sessions')
      await button(page, 'Run').click()
      await page.getByText('“sessions” cannot be read here.').waitFor()
      await page.getByTitle('Put this query into the editor').last().click()
      expect(await editor.inputValue()).toEndWith('ORDER BY d.amount')
    }))

  test('a reader who may not use the SQL page does not find it in the menu', () =>
    at('/reports', firm.as.manager, async (page) => {
      await page.getByRole('link', { name: 'Reports', exact: true }).waitFor()
      expect(await page.getByRole('link', { name: 'SQL', exact: true }).count()).toBe(0)
    }))

  test('the pages of reports cause no console error', () => expect(app.complaints).toEqual([]))
})
