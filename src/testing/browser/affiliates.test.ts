import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Clock, DAY, HOUR, MINUTE, systemClock } from '../../platform/clock.ts'
import { type Caller, type Firm, foundFirm } from '../app.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

describe.skipIf(!chromiumPath)('affiliates in the console', () => {
  let app: Console
  let firm: Firm
  let broker: { id: string; trader: string; as: Caller }
  let stranger: { id: string; trader: string }
  let shift = -3 * DAY
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + shift }

  const affiliate = async (code: string, firstName: string) => {
    const trader = await firm.trader({ firstName, lastName: 'Broker' })
    const { id } = await app.ask('POST', '/v1/affiliates', firm.as.operator, { traderId: trader, code })
    await app.ask('PATCH', `/v1/affiliates/${id}`, firm.as.manager, { status: 'active' })
    return { id, trader }
  }
  const traded = async (affiliateId: string, number: string) => {
    const traderId = await firm.trader({ firstName: 'Cleo', lastName: `Client${number}` })
    await app.ask('PATCH', `/v1/traders/${traderId}`, firm.as.manager, { affiliateId })
    const account = { traderId, platform: 'terminal5', currency: 'EUR', accountNumber: number }
    await app.ask('POST', '/v1/accounts', firm.as.operator, account)
    return number
  }

  beforeAll(async () => {
    app = await startConsole(clock, { BROKERBASE_SESSION_HOURS: '720' })
    firm = await foundFirm(app.running.platform, 'brokers')
    const made = await affiliate('harbour', 'Hanna')
    broker = { ...made, as: await firm.traderSession(made.trader) }
    stranger = await affiliate('elsewhere', 'Sten')
  })
  afterAll(() => app?.close())

  test('an admin writes a commission plan and tries it out, and a manager gives it to an affiliate', async () => {
    await app.visit('/affiliates?tab=plans', { as: firm.as.admin }, async (page) => {
      await button(page, 'New plan').click()
      const form = page.getByRole('dialog')
      await form.getByLabel('Name').fill('Gold')
      await form.getByLabel('Rate in EUR').fill('5.00')
      await button(page, 'Work it out').click()
      // three lots at five are below the cap of 80 % of 24 + 12
      await form.getByText('Level 1: a rate of 5, of which 5 are its own, makes 15.').waitFor()
      await button(page, 'Make plan').click()
      await page.getByText('By the lot: 5.00 EUR a lot').waitFor()
    })
    await app.visit(`/affiliates/${broker.id}`, { as: firm.as.manager }, async (page) => {
      await button(page, 'Edit all').click()
      await page
        .getByRole('combobox', { name: 'Plan' })
        .or(page.getByLabel('Plan', { exact: true }))
        .first()
        .click()
      await page.getByRole('option', { name: 'Gold' }).click()
      await button(page, 'Save').click()
      await page.getByText('Affiliate saved.').waitFor()
    })
  })

  test('the console makes a dry run and a run of commissions, and explains each line', async () => {
    shift = -2 * DAY
    const number = await traded(broker.id, '4711')
    const foreign = await traded(stranger.id, '4712')
    const position = (ticket: string, accountNumber: string) => ({
      ticket,
      accountNumber,
      symbol: 'EURUSD',
      side: 'long',
      volume: '20',
      openPrice: '1',
      currentPrice: '1',
      profit: '0',
      spread: '400',
      openedAt: new Date(clock.now() + MINUTE).toISOString(),
      closedAt: new Date(clock.now() + HOUR).toISOString(),
    })
    const head = { platform: 'terminal5', server: 's', sequence: 1, mode: 'delta' }
    const positions = [position('1', number), position('2', foreign)]
    await app.ask('POST', '/v1/positions/sync', firm.as.operator, { ...head, positions })
    shift = 0
    const day = (offset: number): string => new Date(systemClock.now() + offset * DAY).toISOString().slice(0, 10)
    await app.visit('/affiliates?tab=runs', { as: firm.as.admin }, async (page) => {
      await button(page, 'Compute commissions').click()
      const form = page.getByRole('dialog')
      // a day without a month is invalid
      await form.getByLabel('First day').press('Backspace')
      await button(page, 'Start').click()
      await form.getByText('Enter a day').waitFor()
      await form.getByLabel('First day').fill(day(-4))
      await form.getByLabel('Last day').fill(day(-1))
      await button(page, 'Start').click()
      await page.getByText('Dry run').first().waitFor()
      await page.getByRole('button', { name: /–/ }).first().click()
      const found = page.getByRole('dialog')
      await found.getByText('100.00').waitFor()
      await found.getByText('1 trade of an affiliate without a plan').waitFor()
      await button(page, 'Compute it in earnest').click()
      await page.getByRole('dialog').last().getByRole('button', { name: 'Start' }).click()
      await page.getByText('Closed').first().waitFor()
    })
    await app.visit('/affiliates?tab=commissions', { as: firm.as.viewer }, async (page) => {
      await page.locator('.list button.row-link').first().click()
      const told = page.getByRole('dialog')
      await told.getByText('Worked out again just now: it is the same, to the cent.').waitFor()
      await told.getByText('20.00 lots of EURUSD').waitFor()
    })
  })

  test('a broker sees only their own affiliates, whatever address they type, and requests a payout', async () => {
    for (const path of ['/', '/traders', `/affiliates/${stranger.id}`, '/settings', `/traders/${stranger.trader}`])
      await app.visit(path, { as: broker.as }, async (page) => {
        await page.getByRole('heading', { name: 'Hanna Broker' }).waitFor()
        await page.getByText('C. C.').first().waitFor()
        const text = await page.content()
        for (const hidden of ['Sten', 'elsewhere', 'Cleo', 'Client4712']) expect(text).not.toContain(hidden)
      })
    await app.visit('/', { as: broker.as }, async (page) => {
      await button(page, 'Request a payout').waitFor()
      expect(await page.title()).toBe('Hanna Broker · Brokerbase')
      await button(page, 'Request a payout').click()
      await page.getByRole('dialog').getByLabel('Amount').fill('60')
      await page.getByRole('dialog').getByRole('button', { name: 'Request', exact: true }).click()
      await page.getByText('Requested. It waits for an administrator.').waitFor()
      await page.getByRole('tab', { name: 'Payouts' }).click()
      await page.getByText('To approve').waitFor()
      for (const tab of ['Clients brought', 'Commissions', 'Tree', 'Payouts']) {
        await page.getByRole('tab', { name: tab }).click()
        await app.loaded(page)
        expect([tab, ...(await app.faults(page))]).toEqual([tab])
      }
    })
  })

  test('the open tab of an affiliate is in view on a phone', async () => {
    await app.visit('/affiliates?tab=funnel', { as: firm.as.admin, width: 390 }, async (page) => {
      const tab = page.getByRole('tab', { name: 'Funnel' })
      await tab.waitFor()
      const { x = 0, width = 0 } = (await tab.boundingBox()) ?? {}
      expect(x).toBeGreaterThan(0)
      expect(x + width).toBeLessThanOrEqual(390)
    })
  })

  test('Esc closes only the upper dialog, and the focus returns to its button', async () => {
    await app.visit('/affiliates?tab=payouts', { as: firm.as.owner }, async (page) => {
      await page.locator('.list button.row-link').first().focus()
      await page.keyboard.press('Enter')
      // a dialog takes the focus only a moment after it opens
      await page.waitForFunction("document.activeElement?.closest('[role=dialog]')")
      await button(page, 'Reject').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Reject this payout' }).getByLabel('Reason').waitFor()
      await page.waitForFunction("document.activeElement?.tagName === 'TEXTAREA'")
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Reject this payout' }).waitFor({ state: 'detached' })
      await page.getByRole('dialog', { name: 'Payout of 60.00 EUR' }).waitFor()
      expect(await page.evaluate('document.activeElement?.textContent')).toMatch(/^Reject/)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await page.evaluate('document.activeElement?.textContent')).toBe('Hanna Broker')
    })
  })

  test('an administrator pays a broker’s payout into the wallet', async () => {
    await app.visit('/affiliates?tab=payouts', { as: firm.as.owner }, async (page) => {
      await page.getByText('Hanna Broker').first().click()
      await button(page, 'Approve').click()
      await page.getByRole('dialog', { name: 'Pay this commission?' }).getByRole('button', { name: 'Approve' }).click()
      await page.getByText(/ paid into the wallet of /).waitFor()
      await page.getByText('Nothing is waiting').waitFor()
    })
    await app.visit(`/traders/${broker.trader}?tab=wallets`, { as: firm.as.viewer }, async (page) => {
      await page.getByText('60.00').first().waitFor()
    })
  })

  test('a manager moves a branch of affiliates by the keyboard', async () => {
    await app.ask('PATCH', `/v1/affiliates/${stranger.id}`, firm.as.manager, { parentId: broker.id })
    const third = await affiliate('third', 'Tilda')
    await app.ask('PATCH', `/v1/affiliates/${third.id}`, firm.as.manager, { parentId: broker.id })
    await app.visit(`/affiliates/${broker.id}`, { as: firm.as.manager }, async (page) => {
      await button(page, 'Move Tilda Broker').focus()
      await page.keyboard.press('Enter')
      await button(page, 'Put here').last().focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
      await page.getByText('Moved.', { exact: false }).waitFor()
    })
    const { parentId } = await app.ask('GET', `/v1/affiliates/${third.id}`, firm.as.viewer)
    expect(parentId).toBe(stranger.id)
  })

  test('the affiliate pages cause no console error', () => expect(app.complaints).toEqual([]))
})
