import type { Locator, Page } from 'playwright-core'
import { DEMO, seedDemo } from '../commands/demo/seed.ts'
import { BOTH_SCHEMES, chromiumPath, startConsole } from './browser/browser.ts'

/**
 * Opens everything that a button of the console opens, on every page of the demo brokerage, and checks each dialog,
 * drawer and menu with axe in both schemes at the width of a desktop and of a phone: `bun run dialogs [path…]`. It
 * takes half an hour, so `verify` does not run it. Needs Chromium.
 */
const PAGES = [
  '/',
  '/traders',
  '/deposits',
  '/withdrawals',
  '/withdrawals?status=approved',
  '/kyc',
  '/sanctions',
  '/support',
  '/leads',
  '/leads?view=board',
  '/traders/import',
  '/affiliates',
  '/affiliates?tab=plans',
  '/affiliates?tab=payouts',
  '/affiliates?tab=runs',
  '/positions',
  '/accounts',
  '/wallets',
  '/transfers',
  '/adjustments',
  '/rates',
  '/ledger',
  '/reports',
  '/reports?tab=cohorts',
  '/reports?tab=revenue',
  '/reports?tab=activity',
  '/reports?tab=tax',
  '/sql',
  '/api-keys',
  '/webhooks',
  '/gateways',
  '/gateways?tab=exceptions',
  '/ads',
  '/users',
  '/audit',
  '/views',
  '/mail',
  '/settings',
  '/settings?tab=approvals',
  '/settings?tab=sla',
  '/settings?tab=kyc',
  '/security',
  '/tenants',
  '/system',
  '/recovery-key',
]
/** Lists whose first record is opened on its own page. */
const RECORDS = ['/traders?q=darwish', '/deposits', '/withdrawals', '/withdrawals?status=approved', '/kyc', '/support']
const WITH_PAGES = [...RECORDS, '/accounts', '/affiliates', '/webhooks', '/ads']
const WIDTHS = [1440, 390]

if (!chromiumPath) {
  process.stdout.write('No Chromium here: no dialogs.\n')
  process.exit(0)
}
const app = await startConsole(undefined, {}, async (platform) => void (await seedDemo(platform)))
const found = new Set<string>()
let opened = 0

const MOST_ALIKE = 3

/**
 * Returns the named buttons of a page, and of those that begin alike, such as “Move Ada” and “Move Bob”, only a few.
 */
async function listButtons(buttons: Locator): Promise<[name: string, at: number][]> {
  const names: string[] = []
  const found: [string, number][] = []
  for (const [at, one] of (await buttons.all()).entries()) {
    if (!(await one.isEnabled())) continue
    const text = (await one.getAttribute('aria-label')) ?? (await one.textContent()) ?? ''
    const name = text.trim()
    const [first = ''] = name.split(/[ :]/)
    const alike = names.filter((known) => known.startsWith(first)).length
    if (name === '' || names.includes(name) || alike >= MOST_ALIKE) continue
    names.push(name)
    found.push([name, at])
  }
  return found
}

async function look(page: Page, where: string): Promise<void> {
  opened += 1
  await page.waitForTimeout(350)
  for (const fault of await app.faultsByScheme(page, BOTH_SCHEMES)) found.add(`${where}: ${fault}`)
}

const isOpen = (page: Page, what: string): Promise<boolean> => page.locator(what).first().isVisible()
const DIALOG = '[role=dialog]:not([data-hidden])'
const MENU = '[role=menu], [role=listbox]'

async function walk(page: Page, width: number, path: string, isRecord: boolean): Promise<void> {
  const arrive = async (): Promise<boolean> => {
    await page.goto(`${app.base}/admin${path}`)
    await page.locator('h1').first().waitFor()
    await app.loaded(page)
    if (!isRecord) return true
    const row = page.locator('main tbody tr, main .card').first()
    if (!(await row.isVisible())) return false
    await row.click()
    await page.locator('.back').first().waitFor()
    await app.loaded(page)
    return true
  }
  const where = `${width} ${path}${isRecord ? ' first record' : ''}`
  if (!(await arrive())) return
  await look(page, where)
  const buttons = page.locator('main').getByRole('button')
  const items = page.getByRole('menuitem')
  for (const [name, at] of await listButtons(buttons)) {
    try {
      await arrive()
      await buttons.nth(at).click({ timeout: 3000 })
      await page.waitForTimeout(250)
      if (await isOpen(page, DIALOG)) await look(page, `${where} “${name}”`)
      else if (await isOpen(page, MENU)) {
        await look(page, `${where} “${name}”`)
        for (const [item, place] of await listButtons(items)) {
          await arrive()
          await buttons.nth(at).click({ timeout: 3000 })
          await items.nth(place).click({ timeout: 3000 })
          await page.waitForTimeout(250)
          if (await isOpen(page, DIALOG)) await look(page, `${where} “${name}” › “${item}”`)
        }
      }
    } catch (error) {
      process.stdout.write(`${where} “${name}”: ${String(error).split('\n')[0]}\n`)
    }
  }
}

const only = process.argv.slice(2)
const wanted = (path: string): boolean => only.length === 0 || only.includes(path)
for (const width of WIDTHS) {
  const { page, context } = await app.open({ width, as: { email: DEMO.email, password: DEMO.password } })
  page.setDefaultTimeout(10_000)
  for (const [paths, isRecord] of [
    [PAGES, false],
    [WITH_PAGES, true],
  ] as const)
    for (const path of paths.filter(wanted)) {
      try {
        await walk(page, width, path, isRecord)
      } catch (error) {
        found.add(`${width} ${path}: ${String(error).split('\n')[0]}`)
      }
    }
  await context.close()
}
for (const complaint of app.complaints) found.add(complaint)
await app.close()
for (const fault of found) process.stdout.write(`${fault}\n`)
process.stdout.write(`${opened} pages and dialogs looked at\n${opened} passed, ${found.size} failed\n`)
process.exit(found.size === 0 ? 0 : 1)
