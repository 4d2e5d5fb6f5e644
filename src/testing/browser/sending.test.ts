import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Firm, foundFirm } from '../app.ts'
import { until } from '../until.ts'
import { button, type Console, chromiumPath, drawn, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

describe.skipIf(!chromiumPath)('what is on its way', () => {
  let app: Console
  let firm: Firm
  let traderId: string

  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'sending')
    traderId = await firm.trader({ firstName: 'Sonia', lastName: 'Sender' })
  })
  afterAll(() => app?.close())

  const at = (path: string, act: (page: Page) => Promise<void>) => app.visit(path, { as: firm.as.operator }, act)
  /** Holds POSTs to this path until `go` is called; `keys` are the Idempotency-Keys of the requests that were sent. */
  const hold = async (page: Page, path: string) => {
    const keys: (string | undefined)[] = []
    const gate = Promise.withResolvers<void>()
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      await gate.promise
      await route.continue()
    })
    return { keys, go: gate.resolve }
  }
  const deposit = async (amount: string): Promise<string> => {
    const body = { traderId, currency: 'EUR', amount, method: 'bank' }
    return (await app.call('POST', '/v1/deposits', { as: firm.as.operator, body })).body.id
  }

  test('a form stays open until its answer comes, and a reader who leaves is told that this does not stop it', () =>
    at(`/traders/${traderId}?tab=deposits`, async (page) => {
      await page.goto(`${app.base}/admin/traders`)
      await page.getByText('Sonia Sender').first().click()
      await page.getByRole('tab', { name: 'Deposits' }).click()
      const posts = await hold(page, '/v1/deposits')
      await button(page, 'New deposit').click()
      await page.getByLabel('Amount').fill('21')
      await button(page, 'Create deposit').click()
      await until('it is sent', () => posts.keys.length === 1)
      const dialog = page.getByRole('dialog', { name: 'New deposit' })
      expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
      expect(await dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
      await page.keyboard.press('Escape')
      await page.mouse.click(100, 500)
      await drawn(page)
      expect(await page.getByRole('dialog').count()).toBe(1)
      await page.goBack()
      await page.getByText('It is being sent; leaving does not stop it.').waitFor()
      await button(page, 'Stay').click()
      expect(await dialog.isVisible()).toBe(true)
      posts.go()
      await page.getByText('Deposit created').waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(posts.keys).toHaveLength(1)
    }))

  test('an answer that arrives while the page asks whether to leave closes that question', () =>
    at('/traders', async (page) => {
      await page.getByText('Sonia Sender').first().click()
      await page.getByRole('tab', { name: 'Deposits' }).click()
      const posts = await hold(page, '/v1/deposits')
      await button(page, 'New deposit').click()
      await page.getByLabel('Amount').fill('22')
      await button(page, 'Create deposit').click()
      await page.goBack()
      await page.getByText('It is being sent; leaving does not stop it.').waitFor()
      posts.go()
      await page.getByText('Deposit created').waitFor()
      await until('it is sent', () => !page.url().includes('tab=deposits'))
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.goForward()
      await button(page, 'New deposit').waitFor()
    }))

  test('a form without an answer says that the deposit may have been made; entered again, it is another deposit', () =>
    at(`/traders/${traderId}?tab=deposits`, async (page) => {
      let lost = 0
      await page.route('**/v1/deposits', async (route) => {
        if (route.request().method() !== 'POST' || lost > 0) return route.continue()
        lost += 1
        await route.fetch()
        await route.abort()
      })
      await button(page, 'New deposit').click()
      await page.getByLabel('Amount').fill('777')
      await button(page, 'Create deposit').click()
      await page.getByText('No answer came. It may have been done').waitFor()
      await button(page, 'Cancel').click()
      await page.getByText('No answer came to what you sent').waitFor()
      await button(page, 'Discard').click()
      await button(page, 'New deposit').click()
      await page.getByLabel('Amount').fill('777')
      await button(page, 'Create deposit').click()
      await page.getByText('Deposit created').waitFor()
      const { data } = await (await page.request.get(`${app.base}/v1/deposits?limit=200`)).json()
      expect(data.filter(({ amount }: { amount: string }) => amount === '777.00')).toHaveLength(2)
    }))

  test('a dialog stays open until its answer comes, and two clicks at once send one request', async () => {
    const id = await deposit('23')
    await at(`/deposits/${id}`, async (page) => {
      const posts = await hold(page, `/v1/deposits/${id}/cancel`)
      await button(page, 'More').click()
      await page.getByRole('menuitem', { name: 'Cancel it' }).click()
      await button(page, 'Cancel deposit').waitFor()
      await page.evaluate(`{
        const act = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Cancel deposit')
        act.click()
        act.click()
      }`)
      await until('it is sent', () => posts.keys.length > 0)
      const dialog = page.getByRole('dialog', { name: 'Cancel this deposit' })
      expect(await dialog.getByRole('button', { name: 'Keep it' }).isDisabled()).toBe(true)
      await page.keyboard.press('Escape')
      await page.mouse.click(100, 500)
      await drawn(page)
      expect(await dialog.isVisible()).toBe(true)
      posts.go()
      await page.locator('.status', { hasText: 'Cancelled' }).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(posts.keys).toHaveLength(1)
    })
  })

  test('a form over a drawer stays open with the drawer while it is sent', async () => {
    const body = { traderId, direction: 'credit', currency: 'EUR', amount: '5', reason: 'A gift of the house.' }
    const asked = await app.call('POST', '/v1/adjustments', { as: firm.as.manager, body })
    expect(asked.status).toBe(201)
    const { context, page } = await app.open({ as: firm.as.admin })
    await page.goto(`${app.base}/admin/adjustments`)
    await page.getByRole('table').getByText('Sonia Sender').click()
    const posts = await hold(page, '/v1/adjustments/*/approve')
    await button(page, 'Approve').click()
    await button(page, 'Approve and post').click()
    await until('it is sent', () => posts.keys.length === 1)
    await page.keyboard.press('Escape')
    await drawn(page)
    expect(await page.getByRole('dialog', { name: 'Approve this adjustment' }).isVisible()).toBe(true)
    posts.go()
    await page.getByText(/ (credited to|debited from) /).waitFor()
    await context.close()
  })

  test('the second click of a double click does not reach the list below the form that the first one closed', async () => {
    for (let n = 0; n < 25; n += 1) await deposit(`${100 + n}`)
    await app.visit('/deposits', { as: firm.as.manager }, async (page) => {
      const row = page.getByRole('row', { name: /100\.00/ })
      await row.getByRole('button', { name: 'Settle' }).click()
      const settle = button(page, 'Settle in full')
      await settle.waitFor()
      const box = await settle.boundingBox()
      const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2]
      await page.mouse.click(x, y)
      // The click happens within the page: on a busy machine, a click from here comes too late for a double click.
      await page.evaluate(`new Promise((pressed) => {
        const look = () => {
          const under = document.elementFromPoint(${x}, ${y})
          if (!under?.closest('tr')) return requestAnimationFrame(look)
          const place = { clientX: ${x}, clientY: ${y}, detail: 1, bubbles: true, cancelable: true }
          under.dispatchEvent(new MouseEvent('click', place))
          pressed()
        }
        look()
      })`)
      await page.getByText(/ settled for /).waitFor()
      await drawn(page)
      // the row that lay under the button was not opened
      expect(page.url()).toBe(`${app.base}/admin/deposits`)
    })
  })
})
