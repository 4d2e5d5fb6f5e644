import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Caller, type Firm, foundFirm } from '../app.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

describe.skipIf(chromiumPath === undefined)('the page of a client', () => {
  let app: Console
  let firm: Firm
  let id: string

  const at = (as: Caller, act: (page: Page) => Promise<void>, tab = '') =>
    app.visit(`/traders/${id}${tab}`, { as }, act)
  const trader = async () => app.ask('GET', `/v1/traders/${id}`, firm.as.viewer)

  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'client')
    id = await firm.trader({ firstName: 'Clara', lastName: 'Client' })
    for (const amount of ['120.00', '80.50'])
      await app.ask('POST', '/v1/deposits', firm.as.operator, {
        traderId: id,
        currency: 'EUR',
        amount,
        method: 'bank',
        providerReference: `C-${amount}`,
      })
  })
  afterAll(() => app?.close())

  test('a clerk changes the risk and the owner of a client in place', () =>
    at(firm.as.operator, async (page) => {
      await button(page, 'Change: Risk').click()
      await page.getByRole('option', { name: 'High' }).click()
      await page.locator('.stands').getByText('High').waitFor()
      await button(page, 'Change: Assigned to').click()
      await page.getByRole('option', { name: /\(you\)$/ }).click()
      await page.locator('.stands').getByText('Nobody').waitFor({ state: 'hidden' })
      const { riskLevel, assignedTo } = await trader()
      expect([riskLevel, assignedTo]).toEqual(['high', firm.as.operator.id])
    }))

  test('a value on the client page is edited in place by the keyboard, and a fact is copied by a click', () =>
    at(firm.as.operator, async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await button(page, 'Change: Phone').focus()
      await page.keyboard.press('Enter')
      const phone = page.getByRole('form', { name: 'Change: Phone' }).getByRole('textbox')
      await page.waitForFunction(() => document.activeElement?.getAttribute('type') === 'tel')
      await phone.fill('+44 20 7946 0011')
      await page.keyboard.press('Enter')
      await phone.waitFor({ state: 'hidden' })
      await button(page, 'Copy: Phone').click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('+442079460011')
    }))

  test('the tabs of a client count all and waiting records, and the header adds records from any tab', () =>
    at(
      firm.as.operator,
      async (page) => {
        const tab = page.getByRole('tab', { name: /^Deposits/ })
        await tab.getByTitle('2 in all, 2 waiting').waitFor()
        await button(page, 'New deposit').click()
        const form = page.getByRole('dialog')
        expect(await form.getByLabel('Client').inputValue()).toBe('Clara Client')
        await page.keyboard.press('Escape')
        await form.waitFor({ state: 'hidden' })
        await button(page, 'Note').click()
        await page.getByRole('dialog').getByLabel('Note').fill('Called about the wire')
        await button(page, 'Add note').click()
        await page
          .getByRole('tab', { name: /^Notes/ })
          .getByTitle('1 in all')
          .waitFor()
      },
      '?tab=accounts',
    ))

  test('a client’s figures show money that a colleague settles meanwhile', () =>
    at(firm.as.viewer, async (page) => {
      const figures = page.locator('.figure-strip')
      await figures.getByText('Deposited').waitFor()
      expect(await figures.textContent()).not.toContain('120.00')
      const body = await app.ask('GET', `/v1/deposits?traderId=${id}`, firm.as.viewer)
      const deposit = body.data.find(({ amount }: { amount: string }) => amount === '120.00')
      await app.ask('POST', `/v1/deposits/${deposit.id}/settle`, firm.as.manager)
      await figures.getByText('120.00').first().waitFor()
    }))

  test('unbroken long names, addresses and amounts fit into a narrow window, in any script', async () => {
    const word = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2).slice(0, 60)
    const arabic = 'محمد عبد الرحمن بن خالد الهاشمي القرشي المعروف بأبي الفضل'
    const email = `${'x'.repeat(50)}@${'y'.repeat(50)}.test`
    const address = { street: word, city: arabic }
    const body = { firstName: word, lastName: arabic, email, address, tags: [word.slice(0, 40)], source: word }
    const { id: longId } = await app.ask('POST', '/v1/traders', firm.as.operator, body)
    await app.ask('POST', '/v1/deposits', firm.as.operator, {
      traderId: longId,
      currency: 'ETH',
      amount: '9007199.25474099',
      method: 'bank',
      providerReference: word,
    })
    const ticket = { traderId: longId, subject: word + arabic, category: 'general', body: word + word + arabic }
    const { id: ticketId } = await app.ask('POST', '/v1/support/tickets', firm.as.operator, ticket)
    await app.ask('POST', `/v1/traders/${longId}/notes`, firm.as.operator, { body: word + word })
    const paths = ['', '?tab=deposits', '?tab=notes'].map((tab) => `/traders/${longId}${tab}`)
    const { page, context } = await app.open({ width: 320, as: firm.as.operator })
    const wide: string[] = []
    for (const path of [...paths, `/support/${ticketId}`, '/traders', '/deposits', '/support']) {
      await page.goto(`${app.base}/admin${path}`)
      await app.loaded(page)
      const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      if (Number(over) > 1) wide.push(`${path}: ${over}`)
    }
    await context.close()
    expect(wide).toEqual([])
  })

  test('a viewer changes nothing on the page of a client', () =>
    at(firm.as.viewer, async (page) => {
      await page.getByText('Person', { exact: true }).waitFor()
      for (const name of ['Edit all', 'New deposit', 'Note', /^Change/])
        expect(await button(page, name).count()).toBe(0)
      expect(await button(page, 'Copy: E-mail').count()).toBe(1)
    }))

  test('the page of a client causes no console error', () => expect(app.complaints).toEqual([]))
})
