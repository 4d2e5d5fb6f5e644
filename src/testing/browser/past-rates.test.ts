import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { DAY, systemClock } from '../../platform/clock.ts'
import { type Firm, foundFirm } from '../app.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

describe.skipIf(!chromiumPath)('a rate for days that are over', () => {
  let app: Console
  let firm: Firm
  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'past')
  })
  afterAll(() => app?.close())

  test('a rate for a past day is entered in the form for rates, listed separately, and removed', async () => {
    const since = new Date(systemClock.now() - 30 * DAY).toISOString().slice(0, 10)
    const past = async () => (await app.ask('GET', '/v1/fx/rates?past=true', firm.as.admin)).data
    await app.visit('/rates', { as: firm.as.admin }, async (page) => {
      await page.getByRole('button', { name: 'Set a rate' }).first().click()
      const form = page.getByRole('dialog', { name: 'Set a rate' })
      for (const [label, currency] of [
        ['Base currency', 'ZAR'],
        ['Quote currency', 'EUR'],
      ] as const) {
        await form.getByRole('combobox', { name: label, exact: true }).click()
        await page.getByRole('option', { name: new RegExp(`^${currency}`) }).click()
      }
      await form.getByRole('textbox', { name: 'Rate' }).fill('0.05')
      await form.getByLabel('For days that are over, from').fill(since)
      await button(form, 'Set rate').click()
      const table = page.getByRole('table', { name: 'For days that are over' })
      await table.getByText('ZAR → EUR').waitFor()
      expect(await past()).toMatchObject([{ base: 'ZAR', quote: 'EUR', rate: '0.05', since }])
      expect((await app.ask('GET', '/v1/fx/rates', firm.as.admin)).data).toEqual([])
      await table.getByRole('button', { name: 'Actions for ZAR → EUR' }).click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await button(page.getByRole('dialog', { name: 'Remove this rate?' }), 'Remove').click()
      await table.waitFor({ state: 'detached' })
      expect(await past()).toEqual([])
    })
  })
})
