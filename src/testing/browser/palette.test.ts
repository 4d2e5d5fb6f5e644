import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Caller, type Firm, foundFirm } from '../app.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

const field = (page: Page) => page.getByRole('textbox', { name: 'Search people, numbers and pages' })
/** Waits until the palette's field has the focus, which it gets a moment after it is drawn. */
const ready = (page: Page) => field(page).and(page.locator(':focus')).waitFor()
const marked = (page: Page) => page.locator('.mantine-Spotlight-action[data-selected]')

describe.skipIf(!chromiumPath)('Ctrl-K', () => {
  let app: Console
  let firm: Firm
  let rashid: string

  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'palette')
    const client = (firstName: string, email: string, phone: string) =>
      app.ask('POST', '/v1/traders', firm.as.operator, { firstName, lastName: 'Darwish', email, phone })
    rashid = (await client('Rashid', 'rashid@mail.test', '+971507881107')).id
    await client('Noor', 'noor.darwish1@mail.test', '+971551234567')
    await client('Salma', 'salma.darwish1196@mail.test', '+971551234568')
    for (const amount of ['10', '20'])
      await app.ask('POST', '/v1/deposits', firm.as.operator, {
        traderId: rashid,
        currency: 'EUR',
        amount,
        method: 'bank',
        providerReference: `WIRE-${amount}77`,
      })
  })
  afterAll(() => app?.close())

  const at = (as: Caller, act: (page: Page) => Promise<void>, width = 1440) =>
    app.visit('/kyc', { as, width }, async (page) => {
      await page.getByRole('heading', { level: 1, name: 'KYC' }).waitFor()
      await app.loaded(page)
      await act(page)
    })
  const search = async (page: Page, text: string) => {
    await page.keyboard.press('Control+k')
    await field(page).fill(text)
  }

  test('Enter in the palette opens the client whose phone number ends with the typed digits', () =>
    at(firm.as.operator, async (page) => {
      await search(page, '1107')
      await marked(page).getByText('Rashid Darwish').waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Rashid Darwish' }).waitFor()
    }))

  test('the palette shows the exact address first, moves on by arrows, and names the kind of each hit', () =>
    at(firm.as.viewer, async (page) => {
      await search(page, 'darwish1@')
      await marked(page).getByText('Noor Darwish').waitFor()
      await page.keyboard.press('ArrowDown')
      await marked(page).getByText('Salma Darwish').waitFor()
      await field(page).fill('WIRE-')
      await page.getByText('Searching…').waitFor({ state: 'hidden' })
      await field(page).fill('WIRE-2077')
      await marked(page).getByText('20.00 EUR').waitFor()
      await page.getByText('Rashid Darwish · pending · WIRE-2077').waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/deposits\/dep_/)
    }))

  test('the field of the palette stays in place while hits change', () =>
    at(firm.as.viewer, async (page) => {
      await page.keyboard.press('Control+k')
      const top = async () => Math.round((await field(page).boundingBox())?.y ?? -1)
      const empty = await top()
      await field(page).fill('darwish')
      await marked(page).getByText('Salma Darwish').waitFor()
      expect(await top()).toBe(empty)
      await field(page).fill('nothing at all')
      await page.getByText('Nothing found').waitFor()
      expect(await top()).toBe(empty)
    }))

  test('the palette offers the last opened records first, and Enter opens one again', () =>
    at(firm.as.operator, async (page) => {
      await search(page, '1107')
      await marked(page).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Rashid Darwish' }).waitFor()
      await page.getByRole('link', { name: 'Withdrawals', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Withdrawals' }).waitFor()
      await page.keyboard.press('Control+k')
      await ready(page)
      await marked(page).getByText('Rashid Darwish').waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Rashid Darwish' }).waitFor()
    }))

  test('the palette offers commands that open forms only to readers who may send them', async () => {
    const forms = [
      ['New deposit', /\/deposits$/],
      ['New withdrawal', /\/withdrawals$/],
      ['New client', /\/traders$/],
      ['Invite a colleague', /\/users$/],
    ] as const
    for (const [name, address] of forms)
      await at(firm.as.admin, async (page) => {
        await search(page, name)
        await marked(page).getByText(name).waitFor()
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').locator('form').waitFor()
        await page.waitForURL(address)
      })
    await at(firm.as.viewer, async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('button', { name: 'Help and keys' }).waitFor()
      for (const [name] of forms) expect(await page.getByRole('button', { name }).count()).toBe(0)
      await page.goto(`${app.base}/admin/deposits?new=1`)
      await page.waitForURL(/\/deposits$/)
      expect(await page.getByRole('dialog').count()).toBe(0)
    })
  })

  test('the key ? opens the help about keys, and is an ordinary character in a field', () =>
    at(firm.as.viewer, async (page) => {
      await search(page, 'why')
      await page.keyboard.press('?')
      expect(await field(page).inputValue()).toBe('why?')
      await page.keyboard.press('Escape')
      await field(page).waitFor({ state: 'hidden' })
      const help = page.getByRole('dialog', { name: 'Help and keys' })
      expect(await help.count()).toBe(0)
      await page.keyboard.press('?')
      await help.getByText('What you do here').waitFor()
      await help.getByText('Search the list').waitFor()
      expect(await app.faultsByScheme(page)).toEqual([])
      await page.keyboard.press('Escape')
      await help.waitFor({ state: 'hidden' })
      await search(page, 'and keys')
      await marked(page).getByText('Help and keys').waitFor()
      await page.keyboard.press('Enter')
      await help.waitFor()
    }))

  test.each([1440, 390])('the palette at %d px is accessible and fits, empty and full', (width) =>
    at(
      firm.as.operator,
      async (page) => {
        await page.keyboard.press('Control+k')
        await button(page, 'New deposit').waitFor()
        const found = await app.faultsByScheme(page)
        await field(page).fill('darwish')
        await page.getByText('Salma Darwish').waitFor()
        expect([...found, ...(await app.faultsByScheme(page))]).toEqual([])
      },
      width,
    ),
  )

  test('the palette causes no console error', () => expect(app.complaints).toEqual([]))
})
