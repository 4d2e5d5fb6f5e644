import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Firm, foundFirm } from '../app.ts'
import { button, type Console, chromiumPath, drawn, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

const bell = (page: Page, all: number, fresh: number) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: `Waiting for you: ${all}, new: ${fresh}` })

describe.skipIf(!chromiumPath)('the first page and its frame', () => {
  let app: Console
  let firm: Firm

  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'frame')
  })
  afterAll(() => app?.close())

  const week = (page: Page) => page.getByRole('heading', { name: /^Set up / })

  test('an empty firm is shown its first steps, until an administrator dismisses them', async () => {
    await app.visit('/', { as: firm.as.manager }, async (page) => {
      await week(page).waitFor()
      await page.getByText('2 of 12 done').waitFor()
      await page.getByText('No money moved in the last 30 days').waitFor()
      // managers have no page of settings
      expect(await page.getByRole('link', { name: 'Set your working hours' }).count()).toBe(0)
      expect(await button(page, 'Hide').count()).toBe(0)
    })
    await app.visit('/', { as: firm.as.admin }, async (page) => {
      await page.getByRole('link', { name: 'Load a sanctions list', exact: true }).click()
      await page.getByRole('dialog', { name: 'Load a list' }).waitFor()
      await page.goBack()
      await button(page, 'Hide').click()
      await week(page).waitFor({ state: 'detached' })
    })
    await app.visit('/', { as: firm.as.manager }, async (page) => {
      await page.getByText('No money moved').waitFor()
      await app.loaded(page)
      expect(await week(page).count()).toBe(0)
    })
  })

  test('the bell counts, without a reload, records that were assigned to the reader since they last looked', async () => {
    const { operator, admin } = firm.as
    const traderId = await firm.trader({ firstName: 'Ada', lastName: 'Example' })
    const assigned = async (subject: string): Promise<void> => {
      const { id } = await app.ask('POST', '/v1/support/tickets', admin, { traderId, subject, body: 'It broke.' })
      await app.ask('PATCH', `/v1/support/tickets/${id}`, admin, { assignedTo: operator.id })
    }
    await assigned('First')
    await app.visit('/deposits', { as: operator }, async (page) => {
      await bell(page, 1, 1).click()
      await page.getByRole('link', { name: /^First \(new\)/ }).waitFor()
      await page.keyboard.press('Escape')
      await bell(page, 1, 0).waitFor()
      await assigned('Second')
      await bell(page, 2, 1).waitFor()
      await bell(page, 2, 1).click()
      await page.getByRole('link', { name: /^Second \(new\)/ }).click()
      await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor()
      expect(await app.faultsByScheme(page)).toEqual([])
    })
  })

  test('closed groups of the side bar stay closed, and the open page stays in view', () =>
    app.visit('/settings', { as: firm.as.platform_admin }, async (page) => {
      await page.setViewportSize({ width: 1440, height: 768 })
      await page.reload()
      const nav = page.getByRole('navigation', { name: 'Main' })
      const settings = nav.getByRole('link', { name: 'Settings' })
      await settings.waitFor()
      const isInView = async (): Promise<boolean> => {
        await drawn(page)
        const box = await settings.boundingBox()
        const account = await nav.getByText('platform_admin of frame').boundingBox()
        return (box?.y ?? 0) + (box?.height ?? 0) < (account?.y ?? 0)
      }
      expect(await isInView()).toBe(true)
      // the open page stays in view when the window becomes lower
      await page.setViewportSize({ width: 1440, height: 620 })
      expect(await isInView()).toBe(true)
      await nav.getByRole('button', { name: /^Money/ }).click()
      await nav.getByRole('button', { name: /^Firm/ }).click()
      await page.reload()
      await settings.waitFor()
      expect(await nav.getByRole('link', { name: 'Wallets' }).count()).toBe(0)
      expect(await nav.getByRole('link', { name: 'Audit' }).count()).toBe(0)
    }))

  test('arrow keys reach a bar of the chart, which opens its day', async () => {
    const { operator, manager } = firm.as
    const deposit = await app.ask('POST', '/v1/deposits', operator, {
      traderId: await firm.trader(),
      currency: 'EUR',
      amount: '1234.5',
      method: 'bank',
    })
    await app.ask('POST', `/v1/deposits/${deposit.id}/settle`, manager, {})
    await app.visit('/', { as: manager }, async (page) => {
      const today = page.getByRole('link', { name: /1,234\.50 EUR in \(1\)$/ })
      await today.focus()
      await page.getByRole('tooltip').getByText('Net 1,234.50 EUR').waitFor()
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Deposits' }).waitFor()
      await page.getByText('1 row').waitFor()
    })
  })

  test('a page that a reader may not open, or that does not exist, offers the way back', () =>
    app.visit('/deposits', { as: firm.as.viewer }, async (page) => {
      await page.getByRole('heading', { level: 1, name: 'Deposits' }).waitFor()
      await page.goto(`${app.base}/admin/settings`)
      await page.getByText('This page is not for your role').waitFor()
      expect(await button(page, 'Try again').count()).toBe(0)
      await page.getByRole('link', { name: 'Go to the dashboard' }).click()
      await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    }))

  test('a phone has the search in its header, and a printed page has neither side bar nor buttons', () =>
    app.visit('/deposits', { as: firm.as.operator, width: 390 }, async (page) => {
      await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
      await page.getByRole('textbox', { name: 'Search people, numbers and pages' }).waitFor()
      await page.keyboard.press('Escape')
      await button(page, 'New deposit').waitFor()
      await page.emulateMedia({ media: 'print' })
      await button(page, 'New deposit').waitFor({ state: 'hidden' })
      expect(await page.getByRole('banner').isVisible()).toBe(false)
    }))

  test('a list is printed whole, although the screen draws only a part of it', async () => {
    for (let index = 0; index < 50; index++)
      await app.ask('POST', '/v1/leads', firm.as.operator, { email: `lead${index}@mail.test` })
    await app.visit('/leads?view=list', { as: firm.as.operator }, async (page) => {
      const lead = (index: number) => button(page, `lead${index}@mail.test`)
      await page.setViewportSize({ width: 1440, height: 500 })
      await lead(49).waitFor()
      expect(await lead(0).count()).toBe(0)
      await page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
      expect(await lead(0).count()).toBe(1)
      await page.evaluate("window.dispatchEvent(new Event('afterprint'))")
      await lead(0).waitFor({ state: 'detached' })
    })
  })

  test('a record that is open beside its list is printed alone, under a head that says who printed it and when', () =>
    app.visit('/leads?view=list', { as: firm.as.operator }, async (page) => {
      await page.locator('tbody tr').first().click()
      await page.getByRole('dialog').getByText('@mail.test').first().waitFor()
      await page.emulateMedia({ media: 'print' })
      await page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
      await page.getByText(/^Printed .* by .* · times in UTC$/).waitFor()
      expect(await page.getByRole('dialog').isVisible()).toBe(true)
      expect(await page.locator('main').isVisible()).toBe(false)
    }))

  test('the first page and its frame cause no console error', () => expect(app.complaints).toEqual([]))
})
