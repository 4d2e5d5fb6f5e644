import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { systemCtx } from '../../platform/access/ctx.ts'
import { type Firm, foundFirm } from '../app.ts'
import { type Console, chromiumPath, drawn, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

describe.skipIf(!chromiumPath)('lists', () => {
  let app: Console
  let firm: Firm
  let traderId: string

  beforeAll(async () => {
    app = await startConsole()
    const { platform } = app.running
    firm = await foundFirm(platform, 'lists')
    for (let at = 1; at <= 40; at++) await firm.trader({ firstName: 'Client', lastName: String(at) })
    traderId = await firm.trader({ firstName: 'Alexandra', lastName: 'Papadopoulou-Konstantinidou' })
    await systemCtx(platform, firm.tenantId, 'test').write('test.row', (tx) =>
      tx.execute('UPDATE traders SET kyc_level = 2 WHERE tenant_id = ?1 AND id = ?2', [traderId]),
    )
    const money = { traderId, currency: 'EUR', amount: '50000', method: 'bank' }
    const { body } = await app.call('POST', '/v1/deposits', { as: firm.as.operator, body: money })
    await app.call('POST', `/v1/deposits/${body.id}/settle`, { as: firm.as.manager })
    for (const amount of ['75', '80']) {
      const asked = await app.call('POST', '/v1/deposits', { as: firm.as.operator, body: { ...money, amount } })
      expect(asked.status).toBe(201)
    }
    const large = { ...money, amount: '9999999999999.99' }
    expect((await app.call('POST', '/v1/deposits', { as: firm.as.operator, body: large })).status).toBe(201)
    const destination = { kind: 'bank', reference: 'CY17002001280000001200527600' }
    const out = { traderId, currency: 'EUR', amount: '12345.67', destination }
    expect((await app.call('POST', '/v1/withdrawals', { as: firm.as.operator, body: out })).status).toBe(201)
  })
  afterAll(() => app?.close())

  const at = (path: string, width: number, act: (page: Page) => Promise<void>) =>
    app.visit(path, { as: firm.as.admin, width }, act)

  test('a list whose address has an unknown filter or order names it, and offers to show the list without it', () =>
    at('/deposits?status=nonsense&sort=foo', 1440, async (page) => {
      await page.getByText('Status “nonsense”, Order “foo”').waitFor()
      await page.getByRole('button', { name: 'Show without them' }).click()
      await page.waitForURL(`${app.base}/admin/deposits`)
      await page.getByText('Status “nonsense”').waitFor({ state: 'hidden' })
    }))

  test('a list whose address has an impossible day as filter names it, and refuses to export until it is removed', () =>
    at('/deposits?from=notadate', 390, async (page) => {
      await page.getByText('Announced “notadate”').waitFor()
      expect(await page.getByRole('button', { name: 'Export' }).isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Show without it' }).click()
      await page.getByRole('link', { name: 'Export' }).waitFor()
      await page.goto(`${app.base}/admin/deposits?q=${'x'.repeat(300)}`)
      await page.getByText('which is too long').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
      const box = await page.locator('.wrong-address').boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(390)
    }))

  test.each(['/audit', '/withdrawals', '/deposits?status=*'])('the cards of %s are uncut on a phone', (path) =>
    at(path, 390, async (page) => {
      await page.locator('.list-card').first().waitFor()
      const cut = await page.evaluate(`(() => {
        const list = document.querySelector('.list').getBoundingClientRect()
        return [...document.querySelectorAll('.list-card :is(.card-name, .card-amount)')]
          .filter((one) => one.getBoundingClientRect().right > list.right).map((one) => one.textContent).slice(0, 3)
      })()`)
      expect(cut).toEqual([])
    }),
  )

  test('the buttons of a row stay in sight beside a wide amount, on a small screen', () =>
    at('/deposits', 1024, async (page) => {
      const settle = page.getByRole('row', { name: /9,999,999,999,999\.99/ }).getByRole('button', { name: 'Settle' })
      await settle.waitFor()
      const scrolls = await page.locator('.list-scroller').evaluate((list) => list.scrollWidth > list.clientWidth)
      expect(scrolls).toBe(true)
      const [button, list] = [await settle.boundingBox(), await page.locator('.list-scroller').boundingBox()]
      expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual((list?.x ?? 0) + (list?.width ?? 0))
    }))

  test.each([1440, 1280, 1024])(
    'a long list fills a window of %d px: the rows scroll, and the page does not',
    (width) =>
      at('/traders', width, async (page) => {
        await page.locator('.rows tbody tr[data-row]').nth(20).waitFor()
        await drawn(page)
        const rows = await page.locator('.list-scroller').evaluate((list) => list.scrollHeight > list.clientHeight)
        expect(rows).toBe(true)
        expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(900)
        // a banner that comes later takes its space from the list
        await page.evaluate(
          `document.querySelector('.page').insertAdjacentHTML('beforebegin', '<div>It came late</div>')`,
        )
        await drawn(page)
        expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(900)
      }),
  )

  test('columns of a list keep their places when their values come late and when other rows are shown', async () => {
    const answered = Promise.withResolvers<void>()
    const lefts = (page: Page): Promise<number[]> =>
      page.locator('.rows thead th').evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().left))
    await app.visit('/withdrawals', { as: firm.as.manager }, async (page) => {
      await page.route('**/v1/withdrawals/reviews*', async (route) => {
        await answered.promise
        await route.continue()
      })
      await page.reload()
      await page.locator('.rows tbody tr[data-row]').first().waitFor()
      await drawn(page)
      const before = await lefts(page)
      answered.resolve()
      await page.locator('.bulk-flag').first().waitFor()
      await drawn(page)
      expect(await lefts(page)).toEqual(before)
    })
    await at('/traders?q=Papadopoulou', 1440, async (page) => {
      await page.locator('.rows tbody tr[data-row]').first().waitFor()
      const before = await lefts(page)
      await page.getByRole('searchbox').fill('Client 17')
      await page.getByText('Client 17').first().waitFor()
      await drawn(page)
      expect(await lefts(page)).toEqual(before)
    })
  })

  test('P shows the marked row of a list beside it, J the next row, and one click opens the page of the row', () =>
    at('/deposits', 1440, async (page) => {
      await page.getByRole('row').nth(2).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('p')
      const drawer = page.getByRole('dialog', { name: 'Deposits' })
      await drawer.getByText(/^1 of/).waitFor()
      await drawer.getByRole('button', { name: 'Settle' }).waitFor()
      await page.keyboard.press('j')
      await drawer.getByText(/^2 of/).waitFor()
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'hidden' })
      expect(await page.locator('tr[data-current]').getAttribute('data-row')).toBe('1')
      await page.keyboard.press('p')
      await drawer.getByRole('link', { name: 'Open the whole page' }).click()
      await page.waitForURL(/\/deposits\/dep_/)
    }))

  test('a record opened from a list shows its place, a decision opens the next one, and Back returns to the list', () =>
    at('/deposits', 1440, async (page) => {
      const rows = page.locator('.rows tbody tr[data-row]')
      await rows.nth(1).waitFor()
      await rows.nth(0).getByRole('link').click()
      await page.getByText(/^1 of \d+$/).waitFor()
      const first = page.url()
      await page.keyboard.press('j')
      await page.getByText(/^2 of \d+$/).waitFor()
      expect(page.url()).not.toBe(first)
      await page.keyboard.press('k')
      await page.getByText(/^1 of \d+$/).waitFor()
      await page.getByRole('button', { name: 'Settle', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Settle in full' }).click()
      await page.getByText(/^2 of \d+$/).waitFor()
      await page.getByRole('button', { name: 'View' }).click()
      await page.waitForURL(first)
      await page.getByRole('link', { name: 'Deposits' }).first().click()
      await page.waitForURL(`${app.base}/admin/deposits`)
    }))

  test('a row that is decided in its list leaves at once, while the pointer stays over the list', async () => {
    const body = { traderId, currency: 'EUR', amount: '61.61', method: 'bank' }
    await app.ask('POST', '/v1/deposits', firm.as.operator, body)
    await at('/deposits', 1440, async (page) => {
      const row = page.getByRole('row', { name: /61\.61/ })
      await row.getByRole('button', { name: 'Settle' }).click()
      const again = Promise.withResolvers<void>()
      await page.route('**/v1/deposits?*', async (route) => {
        await again.promise
        await route.continue()
      })
      await page.getByRole('dialog').getByRole('button', { name: 'Settle in full' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await row.hover()
      again.resolve()
      await row.waitFor({ state: 'detached' })
    })
  })

  test('the filters of a list are shown as words that can be changed and removed, and a period moves with the day', () =>
    at('/deposits?sort=createdAt', 1440, async (page) => {
      await page.getByRole('button', { name: 'Change the filter Status: Pending' }).waitFor()
      await page.getByRole('button', { name: 'Add a filter' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Announced' }).click()
      await page.getByRole('button', { name: 'Today' }).click()
      await page.waitForURL(/from=today/)
      await page.getByRole('button', { name: 'Change the filter Announced: Today' }).waitFor()
      await page.getByRole('button', { name: 'Change the filter Status: Pending' }).click()
      await page.getByRole('dialog').getByLabel('Settled', { exact: true }).check()
      await page.waitForURL(/status=pending%2Csettled/)
      await page.getByRole('button', { name: 'Change the filter Status: Pending, Settled' }).waitFor()
      await page.getByRole('button', { name: 'Clear the filter Status' }).click()
      await page.waitForURL(/status=\*/)
      await page.locator('.rows tbody tr[data-row]').first().waitFor()
    }))

  test('a reader hides, moves and resets columns of a list and makes rows denser, and the console remembers this', () =>
    at('/deposits?status=*', 1440, async (page) => {
      const heads = (): Promise<string[]> => page.locator('.rows thead th').allInnerTexts()
      await page.locator('.rows tbody tr[data-row]').first().waitFor()
      const before = await heads()
      await page.getByRole('button', { name: 'Choose columns and density' }).click()
      await page.getByLabel('Status', { exact: true }).uncheck()
      await page.getByRole('button', { name: 'Move Amount to the left' }).click()
      await page.getByLabel('Compact rows').check()
      await page.keyboard.press('Escape')
      await page.reload()
      await page.locator('.rows[data-dense] tbody tr[data-row]').first().waitFor()
      expect(await heads()).toEqual(before.filter((title) => title !== 'Status'))
      await page.getByRole('button', { name: 'Choose columns and density' }).click()
      await page.getByRole('button', { name: 'Reset columns' }).click()
      await page.keyboard.press('Escape')
      expect(await heads()).toEqual(before)
    }))
})
