import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { systemCtx } from '../../platform/access/ctx.ts'
import { type Firm, foundFirm } from '../app.ts'
import { type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(60_000)

describe.skipIf(!chromiumPath)('lists', () => {
  let app: Console
  let firm: Firm
  let traderId: string

  beforeAll(async () => {
    app = await startConsole()
    const { platform } = app.running
    firm = await foundFirm(platform, 'lists')
    traderId = await firm.trader({ firstName: 'Alexandra', lastName: 'Papadopoulou-Konstantinidou' })
    await systemCtx(platform, firm.tenantId, 'test').write('test.row', (tx) =>
      tx.execute('UPDATE traders SET kyc_level = 2 WHERE tenant_id = ?1 AND id = ?2', [traderId]),
    )
    const money = { traderId, currency: 'EUR', amount: '50000', method: 'bank' }
    const { body } = await app.call('POST', '/v1/deposits', { as: firm.as.operator, body: money })
    await app.call('POST', `/v1/deposits/${body.id}/settle`, { as: firm.as.manager })
    const large = { ...money, amount: '9999999999999.99' }
    expect((await app.call('POST', '/v1/deposits', { as: firm.as.operator, body: large })).status).toBe(201)
    const destination = { kind: 'bank', reference: 'CY17002001280000001200527600' }
    const out = { traderId, currency: 'EUR', amount: '12345.67', destination }
    expect((await app.call('POST', '/v1/withdrawals', { as: firm.as.operator, body: out })).status).toBe(201)
  })
  afterAll(() => app?.close())

  const at = (path: string, width: number, act: (page: Page) => Promise<void>) =>
    app.visit(path, { as: firm.as.admin, width }, act)

  test('an address that asks for what a list does not know says what, and is shown without it', () =>
    at('/deposits?status=nonsense&sort=foo', 1440, async (page) => {
      await page.getByText('Status “nonsense”, Order “foo”').waitFor()
      await page.getByRole('button', { name: 'Show without them' }).click()
      await page.waitForURL(`${app.base}/admin/deposits`)
      await page.getByText('Status “nonsense”').waitFor({ state: 'hidden' })
    }))

  test('words that are no day are named, and nothing else is exported for them', () =>
    at('/deposits?from=notadate', 390, async (page) => {
      await page.getByText('From “notadate”').waitFor()
      expect(await page.getByRole('button', { name: 'Export' }).isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Show without it' }).click()
      await page.getByRole('link', { name: 'Export' }).waitFor()
      await page.goto(`${app.base}/admin/deposits?q=${'x'.repeat(300)}`)
      await page.getByText('which is too long').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
      const box = await page.locator('.wrong-address').boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(390)
    }))

  test.each(['/audit', '/withdrawals', '/deposits?status=*'])('%s cuts no column on a phone', (path) =>
    at(path, 390, async (page) => {
      await page.locator('.list tbody tr').first().waitFor()
      const cut = await page.evaluate(`(() => {
        const list = document.querySelector('.list').getBoundingClientRect()
        return [...document.querySelectorAll('.list :is(th, td) > *')]
          .filter((one) => one.getBoundingClientRect().right > list.right).map((one) => one.textContent).slice(0, 3)
      })()`)
      expect(cut).toEqual([])
    }),
  )
})
