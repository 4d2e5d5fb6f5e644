import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { systemCtx } from '../../platform/access/ctx.ts'
import { type Caller, type Firm, foundFirm } from '../app.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

describe.skipIf(!chromiumPath)('what is confirmed is what was on the screen', () => {
  let app: Console
  let firm: Firm
  let anna: string
  let boris: string

  const call: Console['ask'] = (...asked) => app.ask(...asked)
  /** Makes a verified client with money in euro and dollars. */
  const client = async (firstName: string, amount: string): Promise<string> => {
    const traderId = await firm.trader({ firstName, lastName: 'Client' })
    await systemCtx(app.running.platform, firm.tenantId, 'test').write('test.row', (tx) =>
      tx.execute('UPDATE traders SET kyc_level = 2 WHERE tenant_id = ?1 AND id = ?2', [traderId]),
    )
    for (const currency of ['EUR', 'USD']) {
      const deposit = { traderId, currency, amount, method: 'bank' }
      const { id } = await call('POST', '/v1/deposits', firm.as.operator, deposit)
      await call('POST', `/v1/deposits/${id}/settle`, firm.as.manager)
    }
    return traderId
  }
  const rate = (value: string) =>
    call('POST', '/v1/fx/rates/upsert', firm.as.admin, { rates: [{ base: 'EUR', quote: 'USD', rate: value }] })

  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'confirmed')
    anna = await client('Anna', '900')
    boris = await client('Boris', '700')
    await rate('1.1')
  })
  afterAll(() => app?.close())

  const at = (path: string, as: Caller, act: (page: Page) => Promise<void>) => app.visit(path, { as }, act)
  const choose = async (page: Page, label: string, option: RegExp): Promise<void> => {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
  }
  const pick = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Client' }).fill(name)
    await page.getByRole('option', { name: new RegExp(name) }).click()
  }

  test('several withdrawals are not approved before their checks are on the screen', async () => {
    const destination = { kind: 'bank', reference: 'ACCOUNT 1' }
    for (const amount of ['11', '12'])
      await call('POST', '/v1/withdrawals', firm.as.operator, { traderId: anna, currency: 'EUR', amount, destination })
    await at('/withdrawals', firm.as.admin, async (page) => {
      const gate = Promise.withResolvers<void>()
      let fails = true
      await page.route('**/v1/withdrawals/reviews?*', async (route: Route) => {
        if (fails) return route.fulfill({ status: 500, json: { status: 500, title: 'Gone for a moment' } })
        await gate.promise
        return route.continue()
      })
      await page.getByRole('table').getByText('12.00').waitFor()
      for (const box of await page.getByRole('checkbox', { name: /^Choose (?!all)/ }).all()) await box.check()
      await button(page, 'Approve').click()
      const dialog = page.getByRole('dialog', { name: 'Approve 2 withdrawals' })
      await dialog.getByText('Gone for a moment').waitFor()
      expect(await dialog.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
      fails = false
      await dialog.getByRole('button', { name: 'Try again' }).click()
      await dialog.getByText('Gone for a moment').waitFor({ state: 'hidden' })
      expect(await dialog.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
      gate.resolve()
      await dialog.getByRole('list', { name: 'What you approve' }).waitFor()
      await dialog.getByRole('button', { name: 'Approve 2' }).waitFor()
    })
  })

  test('a dialog that is opened for another client keeps no text of the first client', () =>
    at('/withdrawals', firm.as.operator, async (page) => {
      await button(page, 'New withdrawal').click()
      await pick(page, 'Anna Client')
      await choose(page, 'Wallet', /^EUR/)
      const wallet = page.getByRole('combobox', { name: 'Wallet' })
      expect(await wallet.inputValue()).toContain('available')
      await page.getByLabel('Amount').fill('10')
      await page.getByLabel('IBAN or account number').fill('CY17002001280000001200527600')
      await page.getByLabel('Holder').fill('Anna Client')
      await page.getByLabel('Note').fill('Asked by telephone.')
      await pick(page, 'Boris Client')
      await page.getByRole('combobox', { name: 'Client' }).and(page.locator('[value^="Boris"]')).waitFor()
      expect(await wallet.inputValue()).toBe('')
      expect(await page.getByLabel('Amount').inputValue()).toBe('')
      expect(await page.getByLabel('IBAN or account number').inputValue()).toBe('')
      expect(await page.getByLabel('Holder').inputValue()).toBe('')
      await button(page, 'Create withdrawal').click()
      await page.getByText('Choose a wallet', { exact: true }).waitFor()
      await choose(page, 'Wallet', /^EUR · 700/)
    }))

  test('the form asks about a rate that can be read as two numbers, and shows it as a sentence', () =>
    at('/rates', firm.as.admin, async (page) => {
      await button(page, 'Set a rate').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('combobox', { name: 'Base currency', exact: true }).fill('USD')
      await dialog.getByRole('combobox', { name: 'Quote currency' }).fill('IDR')
      await dialog.getByLabel('Rate').fill('15,850')
      await button(page, 'Set rate').click()
      await dialog.getByText('Say which of the two is meant').waitFor()
      await dialog.getByRole('button', { name: '15,850.00', exact: true }).click()
      await dialog.getByText('1 USD = 15,850 IDR').waitFor()
      await button(page, 'Set rate').click()
      await dialog.waitFor({ state: 'hidden' })
      const { data } = await call('GET', '/v1/fx/rates', firm.as.admin)
      const set = data.find(({ quote }: { quote: string }) => quote === 'IDR')
      expect(Number(set.rate)).toBe(15_850)
    }))

  test('a conversion whose rate changed is not sent but shown with the new rate, and then as it was posted', () =>
    at(`/traders/${anna}?tab=transfers`, firm.as.manager, async (page) => {
      await button(page, 'New transfer').click()
      await choose(page, 'From', /^EUR/)
      await choose(page, 'To', /^USD/)
      await page.getByLabel('Amount').fill('100')
      const preview = page.locator('.conversion')
      await preview.getByText('110.00').waitFor()
      await rate('1.08')
      await button(page, 'Transfer').click()
      await page.getByText('The rate changed: 108.00 USD instead of 110.00 USD').waitFor()
      await preview.getByText('108.00').waitFor()
      expect((await call('GET', `/v1/transfers?traderId=${anna}`, firm.as.viewer)).data).toEqual([])
      await button(page, 'Transfer').click()
      await page.getByText('Transferred 100.00 EUR, which came to 108.00 USD.').waitFor()
    }))

  test('Enter in the search does not open a hit of an earlier text', () =>
    at('/rates', firm.as.operator, async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      const words = page.getByRole('textbox', { name: 'Search people, numbers and pages' })
      await words.fill('Anna Cl')
      await page.getByRole('button', { name: /Anna Client/ }).waitFor()
      const gate = Promise.withResolvers<void>()
      await page.route('**/v1/search**', async (route) => {
        await gate.promise
        await route.continue()
      })
      await words.fill('Boris Cl')
      await words.press('Enter')
      await page.getByText('Searching…').waitFor()
      expect(page.url()).toBe(`${app.base}/admin/rates`)
      expect(await page.getByRole('button', { name: /Anna Client/ }).count()).toBe(0)
      gate.resolve()
      await page.getByRole('button', { name: /Boris Client/ }).waitFor()
      await words.press('ArrowDown')
      await words.press('Enter')
      await page.waitForURL(`${app.base}/admin/traders/${boris}`)
    }))

  test('the field of a day shows the refusal of an incomplete day, and of a day that the server refuses', async () => {
    const words = /^Type a whole day such as/
    await at('/traders', firm.as.operator, async (page) => {
      await button(page, 'New client').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'E-mail' }).fill('half@day.example')
      await dialog.getByLabel('Date of birth').focus()
      await page.keyboard.type('0131')
      await page.keyboard.press('Enter')
      await dialog.getByText(words).waitFor()
      expect((await call('GET', '/v1/traders?q=half@day.example', firm.as.viewer)).data).toEqual([])
    })
    await at('/api-keys', firm.as.admin, async (page) => {
      await button(page, 'New API key').first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Label').fill('A program')
      await dialog.getByRole('checkbox').nth(2).check()
      const last = dialog.getByLabel('Last day it works')
      await last.focus()
      await page.keyboard.type('1231')
      await button(page, 'Create key').click()
      await dialog.getByText(words).waitFor()
      await last.fill('2020-12-31')
      await button(page, 'Create key').click()
      await dialog.locator('.mantine-InputWrapper-error').waitFor()
      expect(await dialog.getByText(words).count()).toBe(0)
      expect((await call('GET', '/v1/api-keys', firm.as.admin)).data).toEqual([])
    })
  })

  test('hours of a service level are saved as typed, and empty ones are refused', () =>
    at('/settings?tab=support', firm.as.admin, async (page) => {
      const hours = page.getByLabel('First reply, Urgent')
      await hours.fill('')
      await button(page, 'Save service levels').click()
      await page.getByText('Such as 8 or 0.5').waitFor()
      await hours.pressSequentially('1,5')
      await button(page, 'Save service levels').click()
      await page.getByText('Service levels saved').waitFor()
      expect(await hours.inputValue()).toBe('1.5')
      const { targets } = await call('GET', '/v1/support/sla-policies', firm.as.admin)
      expect(targets.urgent.firstReplyMinutes).toBe(90)
    }))

  test('a ticket shows what another priority does to its deadlines before its button saves it', async () => {
    const ticket = { subject: 'A late wire', body: 'Where is it?', category: 'general', priority: 'normal' }
    const { id } = await call('POST', '/v1/support/tickets', firm.as.operator, ticket)
    await at(`/support/${id}`, firm.as.operator, async (page) => {
      await page.getByRole('combobox', { name: 'Priority' }).click()
      await page.getByRole('option', { name: 'Low' }).click()
      await page.getByText('first reply within 24 h, resolution within 72 h in working hours').waitFor()
      await page.getByRole('combobox', { name: 'Category' }).click()
      await page.getByRole('option', { name: 'Complaint' }).click()
      expect((await call('GET', `/v1/support/tickets/${id}`, firm.as.operator)).priority).toBe('normal')
      await button(page, 'Save').click()
      await page.getByText('Priority: Normal → Low').waitFor()
      const saved = await call('GET', `/v1/support/tickets/${id}`, firm.as.operator)
      expect(saved).toMatchObject({ priority: 'low', category: 'complaint' })
    })
  })

  test('a phone shows a long name and address as a whole where a person decides about them', async () => {
    const traderId = await firm.trader({ firstName: 'Hubert', lastName: 'Wolfeschlegelstein'.repeat(4) })
    const deposit = { traderId, currency: 'EUR', amount: '5', method: 'bank' }
    const { id } = await call('POST', '/v1/deposits', firm.as.operator, deposit)
    const out = {
      currency: 'EUR',
      amount: '13',
      destination: { kind: 'crypto', reference: '4AdUndXHHZ6cfuf'.repeat(6) },
    }
    const asked = await call('POST', '/v1/withdrawals', firm.as.operator, { traderId: boris, ...out })
    const { context, page } = await app.open({ as: firm.as.manager, width: 390 })
    // The content is wider than its box if it is cut or has to be scrolled to.
    const wider = (selector: string) =>
      page.evaluate(`[...document.querySelectorAll('${selector}')]
        .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className)`)
    for (const [path, act] of [
      [`/deposits/${id}`, 'Settle'],
      [`/withdrawals/${asked.id}`, 'Approve'],
    ] as const) {
      await page.goto(`${app.base}/admin${path}`)
      await button(page, act).click()
      await page.getByRole('dialog').waitFor()
      expect(await wider('html, .page-head, .mantine-Modal-body')).toEqual([])
      expect(await page.getByRole('banner').count()).toBe(1)
    }
    await page.goto(`${app.base}/admin/traders/${traderId}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await wider('html, .page-head')).toEqual([])
    await context.close()
  })

  test('dialogs of decisions cause no console error, and no request leaves the machine', () => {
    expect(app.complaints).toEqual([])
  })
})
