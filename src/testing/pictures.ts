import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { DEMO, seedDemo } from '../commands/demo/seed.ts'
import { button, chromiumPath, startConsole } from './browser/browser.ts'

/**
 * Takes a picture of each part that staff expect of a back office, at the demo brokerage, to show the console without
 * starting it. `bun run pictures [directory]`; the default is dist/pictures. Needs Chromium.
 */
type Picture = {
  name: string
  path: string
  width?: number
  dark?: boolean
  /** Runs on the page before the picture is taken. */
  act?: (page: Page) => Promise<unknown>
}

const chooseRows = async (page: Page, count: number): Promise<void> => {
  for (let at = 1; at <= count; at++) await page.getByRole('row').nth(at).getByRole('checkbox').check()
}
const openFirst = async (page: Page): Promise<void> => {
  await page.locator('tbody tr').first().click()
  await page.getByRole('button', { name: 'Next' }).waitFor()
}
const saveView = async (page: Page, name: string): Promise<void> => {
  await button(page, 'Views').click()
  await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name of the view').fill(name)
  await form.getByRole('button', { name: 'Save view' }).click()
  await form.waitFor({ state: 'detached' })
}

const PICTURES: readonly Picture[] = [
  // this comes before the sign-ins of all the other pictures
  { name: 'audit', path: '/audit' },
  {
    name: '01-saved-views',
    path: '/deposits?status=settled&currency=EUR',
    act: async (page) => {
      await saveView(page, 'Settled in euro')
      await page.getByRole('button', { name: /Settled in euro/ }).click()
    },
  },
  {
    name: '02-columns',
    path: '/traders',
    act: (page) => page.getByRole('button', { name: 'Choose columns and density' }).click(),
  },
  { name: '03-sorting', path: '/deposits?currency=EUR&sort=-amount&status=' },
  {
    name: '04-inline-edit',
    path: '/traders?q=darwish',
    act: async (page) => {
      await openFirst(page)
      await page.getByRole('button', { name: 'Change: Phone' }).click()
    },
  },
  {
    name: '05-bulk-actions',
    path: '/withdrawals',
    act: async (page) => {
      await chooseRows(page, 4)
      await page
        .locator('.bulk')
        .getByRole('button', { name: /^Approve/ })
        .click()
    },
  },
  {
    name: '06-filters',
    path: '/deposits?status=pending,settled&currency=EUR&amountFrom=500&amountTo=5000&from=month',
    act: (page) => page.getByRole('button', { name: 'Add a filter' }).click(),
  },
  { name: '07-keyboard', path: '/deposits', act: (page) => page.keyboard.press('?') },
  {
    name: '08-search',
    path: '/',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('textbox', { name: 'Search people, numbers and pages' }).fill('1107')
      await page.getByText('+971577881107').waitFor()
    },
  },
  { name: '09-queue', path: '/withdrawals', act: openFirst },
  { name: '10-client', path: '/traders?q=darwish', act: openFirst },
  {
    name: '11-chart',
    path: '/',
    act: (page) => page.locator('.bar-day').nth(20).hover(),
  },
  {
    name: '12-unsaved',
    path: '/traders',
    act: async (page) => {
      await page.getByRole('button', { name: 'New client' }).click()
      await page.getByRole('dialog').getByLabel('First name').fill('Ada')
      await page.keyboard.press('Escape')
    },
  },
  {
    name: '13-file-of-a-list',
    path: '/leads',
    act: (page) => page.getByRole('link', { name: 'Export' }).hover(),
  },
  {
    name: '14-density-and-sums',
    path: '/deposits?status=settled',
    act: async (page) => {
      await page.getByRole('button', { name: 'Choose columns and density' }).click()
      await page.getByLabel('Compact rows').check()
      await page.keyboard.press('Escape')
    },
  },
  { name: '15-bell', path: '/', act: (page) => page.getByRole('button', { name: /^Waiting for you/ }).click() },
  { name: '16-help', path: '/withdrawals', act: (page) => page.keyboard.press('?') },
  {
    name: '17-amounts',
    path: '/deposits',
    act: async (page) => {
      await page.getByRole('button', { name: 'New deposit' }).click()
      await page.getByRole('dialog').getByLabel('Amount').fill('1,500')
      await page.keyboard.press('Tab')
    },
  },
  { name: '18-dark', path: '/reports', dark: true },
  {
    name: '19-print',
    path: '/withdrawals',
    act: async (page) => {
      await openFirst(page)
      await page.emulateMedia({ media: 'print' })
    },
  },
  { name: '20-first-week', path: '/' },
  { name: 'kyc', path: '/kyc', act: openFirst },
  { name: 'support', path: '/support', act: openFirst },
  { name: 'positions', path: '/positions' },
  { name: '21-phone-dashboard', path: '/', width: 390 },
  { name: '22-phone-queue', path: '/withdrawals', width: 390 },
]

if (!chromiumPath) {
  process.stdout.write('No Chromium here: no pictures.\n')
  process.exit(0)
}
const folder = process.argv[2] ?? join(import.meta.dir, '../../dist/pictures')
mkdirSync(folder, { recursive: true })
const app = await startConsole(undefined, {}, async (platform) => void (await seedDemo(platform)))
let failed = 0
for (const { name, path, width = 1440, dark = false, act } of PICTURES) {
  const { page, context } = await app.open({ width, dark, as: { email: DEMO.email, password: DEMO.password } })
  try {
    page.setDefaultTimeout(5000)
    await page.goto(`${app.base}/admin${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await app.loaded(page)
    await act?.(page)
    await page.waitForTimeout(600)
    await app.loaded(page)
  } catch (error) {
    failed += 1
    process.stdout.write(
      `${name}: ${error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : error}\n`,
    )
  }
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await context.close()
}
await app.close()
process.stdout.write(`${PICTURES.length - failed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
