import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Firm, foundFirm } from '../app.ts'
import { ageAccount, button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)
describe.skipIf(!chromiumPath)('the key of the installation', () => {
  let app: Console
  let firm: Firm
  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'key')
    await ageAccount(app, firm.as.platform_admin.id)
  })
  afterAll(() => app?.close())

  const banner = (page: Page) => page.getByRole('region', { name: 'Recovery key' })
  const isKept = async () => (await app.ask('GET', '/v1/system/recovery-key', firm.as.platform_admin)).kept !== null

  test('a banner on every page asks the platform administrator, and nobody else, to keep the recovery key', async () => {
    await app.visit('/deposits', { as: firm.as.owner }, async (page) => {
      await page.getByRole('heading', { name: 'Deposits' }).waitFor()
      expect(await banner(page).count()).toBe(0)
    })
    await app.visit('/deposits', { as: firm.as.platform_admin }, async (page) => {
      await banner(page).waitFor()
      await banner(page).getByRole('link', { name: 'Keep it now' }).click()
      await page.getByRole('heading', { name: 'Recovery key', exact: true }).waitFor()
    })
  })

  test('the recovery key stays on its page until three of its words are typed back', async () => {
    await app.visit('/recovery-key?first=1', { as: firm.as.platform_admin }, async (page) => {
      const list = page.getByRole('list', { name: 'The words of the key' })
      await list.waitFor()
      const words = (await list.getByRole('listitem').allInnerTexts()).map((word) => word.trim())
      expect(words).toHaveLength(24)
      // a link to another page asks for the words first
      await page.getByRole('link', { name: 'Deposits' }).click()
      await page.getByText('nobody should go on without it').waitFor()
      await button(page, 'I have written them down').click()
      const fields = page.getByRole('textbox', { name: /^Word \d+$/ })
      await fields.first().waitFor()
      expect(await list.count()).toBe(0)
      const places = await page.locator('.key-places label').allInnerTexts()
      expect(places).toHaveLength(3)
      const right = places.map((label) => words[Number(/\d+/.exec(label)?.[0]) - 1] ?? '')
      const wrong = right.with(1, right[1] === 'zoo' ? 'zone' : 'zoo')
      for (const [index, word] of wrong.entries()) await fields.nth(index).fill(word)
      await button(page, 'Check the words').click()
      await page.getByText('Not all of these are the words of the key').waitFor()
      expect(await isKept()).toBe(false)
      await fields.nth(1).fill(right[1] ?? '')
      await button(page, 'Check the words').click()
      await page.getByText('Somebody confirmed the key by typing words').waitFor()
      expect(await isKept()).toBe(true)
      expect(await list.count()).toBe(0)
      await page.getByRole('link', { name: 'Deposits' }).click()
      await page.getByRole('heading', { name: 'Deposits' }).waitFor()
      expect(await banner(page).count()).toBe(0)
    })
  })
})
