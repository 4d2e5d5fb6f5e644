import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { DEMO, seedDemo } from '../../commands/demo/seed.ts'
import { unList } from '../fakes/sanctions-lists.ts'
import { type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(240_000)

/** A stop of the README's walk: a page of the menu, and the names that it promises there. */
type Stop = { page: string; names: string[] }

/**
 * Reads the stops of “The first ten minutes”: a bold word is a page of the menu, and words in italics are found on it.
 */
const readStops = async (): Promise<Stop[]> => {
  const text = await Bun.file(join(import.meta.dir, '../../../README.md')).text()
  const [, walk = ''] = /## The first ten minutes\n(.*?)\n## /s.exec(text) ?? []
  const stops: Stop[] = []
  for (const [, page, name] of walk.matchAll(/\*\*([^*]+)\*\*|(?<![\w`])_([^_]+)_(?!\w)/g)) {
    if (page !== undefined) stops.push({ page, names: [] })
    if (name !== undefined) stops.at(-1)?.names.push(name.replace(/\s+/g, ' '))
  }
  return stops
}

/** Waits for a name on the page; a tab has its count behind the name. */
const isShown = (page: Page, name: string): Promise<boolean> =>
  page
    .locator('main, [role=dialog]')
    .getByText(new RegExp(`^${RegExp.escape(name)}\\s?\\d*$`))
    .first()
    .waitFor({ timeout: 4000 })
    .then(
      () => true,
      () => false,
    )

/** Returns the names that are neither on the page, nor on that of its first record, nor on that of the next first. */
const findMissing = async (app: Console, page: Page, names: readonly string[]): Promise<string[]> => {
  let missing = [...names]
  for (let depth = 0; depth < 3; depth++) {
    await app.loaded(page)
    const shown = await Promise.all(missing.map((name) => isShown(page, name)))
    missing = missing.filter((_, at) => !shown[at])
    const row = page.locator('main tbody tr').first()
    if (missing.length === 0 || !(await row.isVisible())) break
    await row.click()
  }
  return missing
}

describe.skipIf(!chromiumPath)('what README promises', () => {
  let demo: Console
  beforeAll(async () => {
    demo = await startConsole(undefined, {}, (platform) => seedDemo(platform, 60))
  })
  afterAll(() => demo?.close())

  test('each page and button that README’s first ten minutes name is found where README says', async () => {
    const stops = await readStops()
    expect(stops.map(({ page }) => page)).toContain('Deposits')
    expect(stops.flatMap(({ names }) => names).length).toBeGreaterThan(15)
    await demo.visit('/', { as: { email: DEMO.email, password: DEMO.password } }, async (page) => {
      const post = async (path: string, data: object) => {
        const answer = await page.request.post(demo.base + path, { data, headers: { origin: demo.base } })
        return answer.json()
      }
      const { data } = await (await page.request.get(`${demo.base}/v1/traders?status=active&limit=1`)).json()
      await post('/v1/deposits', { traderId: data[0].id, currency: 'EUR', amount: '10.00', method: 'bank' })
      const missing: string[] = []
      for (const { page: name, names } of stops) {
        await page.goto(`${demo.base}/admin/`)
        await page.getByRole('navigation').getByRole('link', { name, exact: false }).first().click()
        await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
        missing.push(...(await findMissing(demo, page, names)).map((one) => `${name}: ${one}`))
      }
      expect(missing).toEqual([])
    })
  })
})

describe.skipIf(!chromiumPath)('a real firm', () => {
  let app: Console
  beforeAll(async () => {
    app = await startConsole()
  })
  afterAll(() => app?.close())

  test('the way from the set-up to the first settled deposit takes at most 40 clicks and fields', async () => {
    let acts = 0
    await app.visit(`/setup?token=${app.running.setupToken}`, {}, async (page) => {
      const press = (role: 'button' | 'link' | 'option' | 'checkbox', name: string | RegExp) => {
        acts += 1
        return page.getByRole(role, { name, exact: true }).click()
      }
      const enter = (label: string | RegExp, text: string) => {
        acts += 1
        return page.getByLabel(label, { exact: true }).and(page.locator('input')).fill(text)
      }
      await enter('Firm', 'Acme Markets')
      await enter('Currency of the firm', 'EUR')
      await enter('Your name', 'Olivia Owner')
      await enter('E-mail', 'olivia@acme.test')
      await enter('Password', 'correct horse battery')
      await press('button', 'Create firm and sign in')

      const list = page.getByRole('list', { name: 'The words of the key' })
      await list.waitFor()
      const words = (await list.getByRole('listitem').allInnerTexts()).map((word) => word.trim())
      await press('button', 'I have written them down')
      for (const label of await page.locator('.key-places label').allInnerTexts())
        await enter(label, words[Number(/\d+/.exec(label)?.[0]) - 1] ?? '')
      await press('button', 'Check the words')

      await press('link', 'Continue: Invite a colleague as manager')
      await enter('Name', 'Maria Manager')
      await enter('E-mail', 'maria@acme.test')
      await press('button', 'Invite')
      await page.getByText('72 hours after you read the link').waitFor()
      await press('button', 'Later')

      await press('link', 'Continue: Load a sanctions list')
      acts += 1
      await page.getByRole('dialog').getByLabel('List').and(page.locator('input')).click()
      await press('option', 'UN consolidated')
      await enter('Version', '2026-11-20')
      acts += 1
      await page.locator('input[type=file]').setInputFiles({
        name: 'consolidated.xml',
        mimeType: 'text/xml',
        buffer: Buffer.from(unList('Ivan Somebody')),
      })
      await press('button', 'Load and screen')

      await press('link', 'Continue: Add your first client')
      await enter('First name', 'Clara')
      await enter('Last name', 'First')
      await enter('E-mail', 'clara@client.test')
      await press('button', 'Add client')
      await page.getByRole('heading', { name: 'Clara First' }).waitFor()

      await press('link', 'Continue: Settle your first deposit')
      await enter('Client', 'Clara')
      await press('option', /Clara First/)
      await enter('Amount', '250')
      await press('checkbox', /^The money has arrived/)
      await press('button', 'Create deposit')
      await press('button', 'Settle in full')
      await page.getByRole('region', { name: 'Set up Acme Markets' }).waitFor({ state: 'detached' })
      const { data } = await (await page.request.get(`${app.base}/v1/deposits`)).json()
      expect(data).toMatchObject([{ status: 'settled', currency: 'EUR', settledAmount: '250.00' }])
    })
    expect(acts).toBeLessThanOrEqual(40)
    expect(app.complaints).toEqual([])
  })
})
