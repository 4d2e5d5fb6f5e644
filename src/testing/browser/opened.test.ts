import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { furnish } from '../../contract/seed-firm.ts'
import { systemClock } from '../../platform/clock.ts'
import { type Caller, type Firm, foundFirm } from '../app.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(300_000)

/** Opens something over a page, by default with the button of this name; on a phone some need another way. */
type Opening = readonly [path: string, name: string, open?: (page: Page) => Promise<void>, wide?: 'wide']

const firstRow = (page: Page) => page.locator('.list button.row-link').first().click()
const fromMenu = (name: string) => async (page: Page) => {
  await button(page, 'Actions').first().click()
  await page.getByRole('menuitem', { name }).click()
  await page.getByRole('menu').waitFor({ state: 'hidden' })
}

describe.skipIf(!chromiumPath)('what opens over a page', () => {
  let app: Console
  let firm: Firm
  let broker: Caller
  let openings: Opening[]

  beforeAll(async () => {
    app = await startConsole()
    const { platform } = app.running
    firm = await foundFirm(platform, 'opened')
    const { ids, ib } = await furnish({ platform, call: app.call, clock: systemClock }, firm, 'http://127.0.0.1:9/hook')
    broker = await firm.traderSession(ib.trader)
    const id = (path: string): string => ids[path] ?? ''
    const affiliate = `/affiliates/${ib.affiliate}`
    openings = [
      ['/affiliates?tab=plans', 'New plan'],
      ['/affiliates?tab=runs', 'Compute commissions'],
      ['/affiliates?tab=runs', 'a run', firstRow],
      ['/affiliates?tab=commissions', 'a commission', firstRow],
      ['/affiliates?tab=payouts', 'a payout', firstRow],
      [affiliate, 'Edit all'],
      ['/ads', 'New connection', (page) => button(page, 'New connection').first().click()],
      [`/ads/${id('/v1/ads/connections/:id')}`, 'Fetch older leads'],
      [`/traders/${id('/v1/traders/:id')}`, 'View as', fromMenu('View as')],
      [`/traders/${id('/v1/traders/:id')}`, 'Note', (page) => button(page, 'Note').click(), 'wide'],
      ['/deposits?status=*', 'Settle', (page) => button(page, 'Settle').first().click(), 'wide'],
      ['/withdrawals', 'Approve', (page) => button(page, 'Approve').first().click(), 'wide'],
      [`/kyc/${id('/v1/kyc/submissions/:id')}`, 'Reject', (page) => button(page, /^Reject/).click()],
      ['/sanctions', 'a match', firstRow],
      [
        '/deposits',
        'a view',
        async (page) => {
          await button(page, 'Views').click()
          await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
        },
      ],
      [
        '/traders',
        'a change of many',
        async (page) => {
          await page
            .getByRole('checkbox', { name: /^Choose (?!all)/ })
            .first()
            .check()
          await button(page, 'Change').click()
        },
      ],
    ]
  })
  afterAll(() => app?.close())

  test.concurrent.each([1440, 390])(
    'every dialog and drawer at %d px is accessible, fits, and closes by Escape',
    async (width) => {
      const found: string[] = []
      const { page, context } = await app.open({ width, as: firm.as.owner })
      await page.goto(`${app.base}/admin/`)
      await page.getByRole('heading').first().waitFor()
      for (const [path, name, open] of openings.filter(([, , , only]) => width > 1000 || !only)) {
        await app.go(page, path)
        await (open ? open(page) : button(page, name).click())
        const dialog = page.getByRole('dialog').last()
        await dialog.waitFor().catch(() => {
          throw new Error(`${path}: ${name} opens nothing`)
        })
        await app.loaded(page)
        // on a phone the same dialog opens, and `bun run dialogs` looks at it there with axe
        const look = width > 1000 ? app.faultsByScheme : app.tooWide
        found.push(...(await look(page)).map((fault) => `${path}, ${name}: ${fault}`))
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' }).catch(() => found.push(`${path}, ${name}: stays open`))
      }
      await context.close()
      expect(found).toEqual([])
    },
  )

  test.each([1440, 390])('a broker’s own pages at %d px are accessible and fit', async (width) => {
    const { page, context } = await app.open({ width, as: broker })
    await page.goto(`${app.base}/admin/`)
    await button(page, 'Request a payout').waitFor()
    const found: string[] = []
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      await app.loaded(page)
      found.push(...(await app.faultsByScheme(page)))
    }
    await button(page, 'Request a payout').click()
    await page.getByRole('dialog').waitFor()
    found.push(...(await app.faultsByScheme(page)))
    await context.close()
    expect(found).toEqual([])
  })

  test('opened dialogs cause no console error', () => expect(app.complaints).toEqual([]))
})
