import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Caller, type Firm, foundFirm } from '../app.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

/** The number of leads of an import: one more than a list shows at once. */
const LEADS = 51

describe.skipIf(!chromiumPath)('what was typed, chosen and read stays', () => {
  let app: Console
  let firm: Firm

  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'kept')
    const rows = Array.from({ length: LEADS }, (_, n) => `lead${n}@example.com`)
    const csv = ['email', ...rows].join('\n')
    await call('POST', '/v1/leads/import', firm.as.manager, { csv, mapping: { email: 'email' }, source: 'fair' })
  })
  afterAll(() => app?.close())

  const call: Console['ask'] = (...asked) => app.ask(...asked)
  const at = (path: string, as: Caller, act: (page: Page) => Promise<void>) => app.visit(path, { as }, act)
  const question = (page: Page) => page.getByRole('dialog', { name: 'Discard changes?' })

  test('a changed form inside a page asks before the reader leaves its tab or the page', () =>
    at('/settings', firm.as.owner, async (page) => {
      const name = page.getByRole('textbox', { name: 'Firm', exact: true })
      await name.waitFor()
      for (const tab of ['Approvals', 'Service levels', 'Identity', 'Firm']) {
        await page.getByRole('tab', { name: tab, exact: true }).click()
        await page.getByRole('tab', { name: tab, exact: true, selected: true }).waitFor()
      }
      await name.fill('Kept Capital')
      await page.getByRole('tab', { name: 'Approvals' }).click()
      await question(page).waitFor()
      await button(page, 'Keep editing').click()
      expect(await name.inputValue()).toBe('Kept Capital')
      await page.getByRole('link', { name: 'Clients' }).click()
      await question(page).waitFor()
      await button(page, 'Keep editing').click()
      await button(page, 'Save').first().click()
      await page.getByText('Settings saved').waitFor()
      await name.fill('Something else')
      await page.getByRole('tab', { name: 'Approvals' }).click()
      await button(page, 'Discard').click()
      await button(page, 'Save policy').waitFor()
      await page.getByRole('tab', { name: 'Firm' }).click()
      expect(await name.inputValue()).toBe('Kept Capital')
    }))

  test('a colleague’s version replaces typed text only after the reader agrees', async () => {
    const id = await firm.trader({ firstName: 'Vera', lastName: 'Version' })
    await at(`/traders/${id}`, firm.as.operator, async (page) => {
      await button(page, 'Edit all').click()
      const city = page.getByRole('dialog').getByLabel('City')
      await city.fill('Nicosia')
      await call('PATCH', `/v1/traders/${id}`, firm.as.manager, { lastName: 'Theirs' })
      await button(page, 'Save').click()
      await button(page, 'Load the current version').click()
      await question(page).waitFor()
      await button(page, 'Keep editing').click()
      expect(await city.inputValue()).toBe('Nicosia')
      await button(page, 'Load the current version').click()
      await button(page, 'Discard').click()
      await page.locator('h1', { hasText: 'Vera Theirs' }).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
    })
  })

  test('a change that arrives while two versions are merged is shown beside them', async () => {
    const id = await firm.trader({ firstName: 'Mara', lastName: 'Merge' })
    await at(`/traders/${id}`, firm.as.operator, async (page) => {
      await button(page, 'Edit all').click()
      await page.getByRole('dialog').getByLabel('Last name').fill('Mine')
      await call('PATCH', `/v1/traders/${id}`, firm.as.manager, { lastName: 'Theirs' })
      await button(page, 'Save').click()
      const keep = (field: string) => page.getByRole('radiogroup', { name: `Keep of ${field}` })
      await keep('Last name').getByText('Yours').click()
      await call('PATCH', `/v1/traders/${id}`, firm.as.manager, { language: 'de' })
      await button(page, 'Save both').click()
      await page.getByText('It changed once more; look at the new lines').waitFor()
      await keep('Language').waitFor()
      await button(page, 'Save both').click()
      await page.locator('h1', { hasText: 'Mara Mine' }).waitFor()
    })
    expect(await call('GET', `/v1/traders/${id}`, firm.as.viewer)).toMatchObject({ lastName: 'Mine', language: 'de' })
  })

  test('the rows of a list stay if the next rows or a refresh cannot be read', () =>
    at('/leads', firm.as.manager, async (page) => {
      await page.getByText('50 of 51').waitFor()
      await page.route('**/v1/leads?*', (route) => route.abort())
      await button(page, 'Load more').click()
      await page.getByText('The server cannot be reached').waitFor()
      await page.getByText('50 of 51').waitFor()
      await button(page, 'Refresh').click()
      await page.getByText('These rows may be old').waitFor()
      await page.getByText('50 of 51').waitFor()
      await page.unroute('**/v1/leads?*')
      await button(page, 'Try again').click()
      await page.getByText('These rows may be old').waitFor({ state: 'hidden' })
      await button(page, 'Load more').click()
      await page.getByText('51 rows').waitFor()
    }))

  test('chosen rows of a list stay chosen until an action was done with them', () =>
    at('/leads', firm.as.manager, async (page) => {
      const boxes = page.getByRole('checkbox', { name: /^Choose (?!all)/ })
      await boxes.nth(0).check()
      await boxes.nth(1).check()
      await button(page, 'Assign').click()
      await page.getByRole('option').first().waitFor()
      // the list of colleagues covers the buttons
      await page.keyboard.press('Escape')
      await button(page, 'Cancel').click()
      await page.getByText('2 selected').waitFor()
      await button(page, 'Assign').click()
      // they belong to nobody, and to nobody again would change nothing
      await page.getByRole('option').first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click()
      await page.getByText('2 leads assigned.').waitFor()
      expect(await page.getByText('2 selected').count()).toBe(0)
    }))

  test('a prepared import is closed only after the reader agrees to lose its file', () =>
    at('/leads', firm.as.manager, async (page) => {
      await button(page, 'Import').click()
      const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('email\nnew@example.com\n') }
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByLabel('Source').fill('A list of mine')
      await page.keyboard.press('Escape')
      await question(page).waitFor()
      await button(page, 'Keep editing').click()
      expect(await page.getByLabel('Source').inputValue()).toBe('A list of mine')
      await button(page, 'Try it').click()
      await button(page, 'Import 1').click()
      await button(page, 'Done').click()
      expect(await page.getByRole('dialog').count()).toBe(0)
    }))

  test('the pages with kept texts and rows cause no console error, and no request leaves the machine', () => {
    expect(app.complaints).toEqual([])
  })
})
