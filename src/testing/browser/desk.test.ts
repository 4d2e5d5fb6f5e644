import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { watchSla } from '../../modules/clients/support/support.jobs.ts'
import { systemCtx } from '../../platform/access/ctx.ts'
import { MINUTE, systemClock } from '../../platform/clock.ts'
import { type Caller, type Firm, foundFirm } from '../app.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'
import { PNG } from './png.ts'

setDefaultTimeout(120_000)

describe.skipIf(!chromiumPath)('the desk', () => {
  let app: Console
  let firm: Firm
  let receiver: WebhookReceiver
  let ahead = 0

  beforeAll(async () => {
    app = await startConsole({ ...systemClock, now: () => systemClock.now() + ahead })
    firm = await foundFirm(app.running.platform, 'desk')
    receiver = startWebhookReceiver()
  })
  afterAll(async () => {
    await app?.close()
    await receiver?.stop()
  })

  const call: Console['ask'] = (...asked) => app.ask(...asked)
  /** Opens a page as one of the staff, calls `act` with it, and closes it. */
  const at = <T>(path: string, as: Caller, act: (page: Page) => Promise<T>) => app.visit(path, { as }, act)
  /** Makes a verified client with 50,000 EUR. */
  const client = async (firstName: string): Promise<string> => {
    const traderId = await firm.trader({ firstName, lastName: 'Client' })
    const ctx = systemCtx(app.running.platform, firm.tenantId, 'test')
    await ctx.write('test.verify', (tx) =>
      tx.execute('UPDATE traders SET kyc_level = 2 WHERE tenant_id = ?1 AND id = ?2', [traderId]),
    )
    const deposit = { traderId, currency: 'EUR', amount: '50000', method: 'bank' }
    const { id } = await call('POST', '/v1/deposits', firm.as.operator, deposit)
    await call('POST', `/v1/deposits/${id}/settle`, firm.as.manager)
    return traderId
  }

  test('a withdrawal is requested, approved once, refused a second approval of the same person, then approved and paid', async () => {
    const traderId = await client('Willa')
    const path = await at(`/traders/${traderId}?tab=withdrawals`, firm.as.operator, async (page) => {
      await button(page, 'New withdrawal').click()
      await page.getByRole('combobox', { name: 'Wallet' }).click()
      await page.getByRole('option', { name: /EUR/ }).click()
      await page.getByLabel('Amount').fill('12000')
      await page.getByLabel('IBAN or account number').fill('CY17002001280000001200527600')
      await button(page, 'Create withdrawal').click()
      await page.getByText('the amount is held').waitFor()
      await page.getByRole('table').getByText('12,000').click()
      await page.getByRole('heading', { name: /12,000/ }).waitFor()
      expect(await button(page, 'Approve').count()).toBe(0)
      return new URL(page.url()).pathname.replace('/admin', '')
    })
    const approve = async (page: Page) => {
      await button(page, 'Approve').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('No list is loaded: nobody is screened').waitFor()
      await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
      await dialog.getByText('Say why you approve it all the same').waitFor()
      await dialog.getByLabel('Note').fill('Called the client back.')
      await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
      await page.getByText(/Approval of .* recorded|it can be paid now/).waitFor()
    }
    await at(path, firm.as.manager, async (page) => {
      await page.getByText(/0 of 2: 2 more people, one of them an admin/).waitFor()
      await approve(page)
      await page.getByText(/1 of 2: one more, an admin/).waitFor()
      await page.getByText('You cannot approve this withdrawal').waitFor()
      await button(page, 'Approve').click({ force: true })
      expect(await page.getByRole('dialog').count()).toBe(0)
      const again = await page.request.post(`${app.base}/v1${path}/approve`, {
        headers: { origin: app.base },
        data: { note: 'once more' },
      })
      expect(again.status()).toBe(409)
    })
    await at(path, firm.as.admin, async (page) => {
      await approve(page)
      await button(page, 'Mark as paid').click()
      await page.getByLabel('Payment reference').fill('PAY-77')
      await page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click()
      await page.locator('.status', { hasText: 'Paid' }).first().waitFor()
    })
    const { data } = await call('GET', `/v1/wallets?traderId=${traderId}`, firm.as.viewer)
    expect(data).toMatchObject([{ available: '38000.00', held: '0.00' }])
  })

  test('documents are submitted, viewed and rejected with a reason that the webhook has; the audit names who viewed them', async () => {
    const traderId = await firm.trader({ firstName: 'Petra', lastName: 'Papers' })
    await call('POST', '/v1/webhooks/subscriptions', firm.as.owner, {
      url: `${receiver.url}/hook`,
      events: ['kyc.rejected'],
    })
    await at(`/traders/${traderId}?tab=kyc`, firm.as.operator, async (page) => {
      await button(page, 'Upload documents').click()
      await page.locator('input[type=file]').setInputFiles({ name: 'passport.png', mimeType: 'image/png', buffer: PNG })
      await page.getByText('passport.png').waitFor()
      await button(page, 'Upload').click()
      await page.getByText('Documents uploaded').waitFor()
    })
    await at('/kyc', firm.as.manager, async (page) => {
      await page.getByText('Petra Papers').click()
      await page.getByRole('img', { name: 'Passport' }).waitFor()
      await button(page, 'Larger').click()
      await button(page, 'Turn to the right').click()
      await page.keyboard.press('r')
      await page.getByLabel('Text for the client').fill('The picture is too small to read.')
      await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click()
      await page.getByText(/^Documents of .* rejected/).waitFor()
    })
    const [hook] = await receiver.waitFor(1)
    expect(JSON.parse(hook?.text ?? '{}').payload).toMatchObject({ detail: 'The picture is too small to read.' })
    const { data } = await call('GET', `/v1/audit?traderId=${traderId}&action=kyc.document_view`, firm.as.owner)
    expect(data).toMatchObject([{ actorId: firm.as.manager.id }])
  })

  test('a file of leads is tried, imported with its bad row named, and one lead becomes a client', async () => {
    await at('/leads', firm.as.manager, async (page) => {
      await button(page, 'Import').click()
      const csv = 'E-mail,First name,Country\nlena@lead.test,Lena,DE\nnobody,Nobody,DE\n'
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'fair.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
      await button(page, 'Try it').click()
      await page.getByText('Tried; nothing has been changed').waitFor()
      await page.getByRole('table', { name: 'Rows that cannot be taken' }).getByText('E-mail').waitFor()
      await button(page, 'Import 1').click()
      await page.getByText('Imported', { exact: true }).waitFor()
      await button(page, 'Done').click()
      await page.getByRole('table').getByText('Lena').first().click()
      await page.getByRole('dialog').getByText('fair').waitFor()
      await page.getByRole('combobox', { name: 'Move to' }).click()
      await page.getByRole('option', { name: 'Contacted' }).click()
      await page.getByRole('dialog').getByText('Contacted').waitFor()
      await page.getByRole('combobox', { name: 'Move to' }).click()
      await page.getByRole('option', { name: 'Qualified', exact: true }).click()
      await button(page, 'Convert to client').click()
      await page
        .getByRole('dialog', { name: 'Convert this lead to a client' })
        .getByRole('button', { name: 'Convert to client' })
        .click()
      await page.getByText('The lead is a client now').waitFor()
      // the drawer of the lead shows the name as well
      await page.waitForURL('**/admin/traders/trd_*')
      await page.getByRole('heading', { name: /Lena/ }).waitFor()
    })
  })

  test('the counts in the side bar change without a reload', async () => {
    const traderId = await client('Paul')
    await at('/traders', firm.as.manager, async (page) => {
      await page.getByRole('heading', { name: 'Clients' }).waitFor()
      const deposits = page.getByRole('link', { name: /^Deposits/ })
      expect(await deposits.textContent()).not.toContain('waiting')
      const deposit = { traderId, currency: 'EUR', amount: '10', method: 'bank' }
      await call('POST', '/v1/deposits', firm.as.operator, deposit)
      await page.getByRole('link', { name: 'Deposits 1 waiting' }).waitFor()
    })
  })

  test('the heatmap shows the positions that the platform reports', async () => {
    const position = (symbol: string, side: string, volume: string) => ({
      ticket: `${symbol}-${side}`,
      accountNumber: '7001',
      symbol,
      side,
      volume,
      openPrice: '1.1',
      currentPrice: '1.2',
      profit: '10',
      swap: '0',
      commission: '0',
      openedAt: '2026-01-10T09:00:00Z',
    })
    await call('POST', '/v1/positions/sync', firm.as.owner, {
      platform: 'terminal5',
      server: 'live',
      sequence: 1,
      mode: 'snapshot',
      positions: [
        position('EURUSD', 'long', '2.5'),
        position('EURUSD', 'short', '1'),
        position('XAUUSD', 'short', '4'),
      ],
    })
    await at('/positions', firm.as.viewer, async (page) => {
      await page.locator('.heatmap svg').first().waitFor()
      await page.waitForFunction("document.querySelectorAll('.heatmap .recharts-bar-rectangle path').length >= 3")
      const bars = await page
        .locator('.heatmap .recharts-bar-rectangle path')
        .evaluateAll((paths) => paths.map((path) => path.getBoundingClientRect().width))
      const [widest = 0] = bars.toSorted((a, b) => b - a)
      expect(widest).toBeGreaterThan(40)
      await page.getByText('In figures').click()
      await page.getByRole('table', { name: 'Open volume by symbol' }).getByText('XAUUSD').waitFor()
    })
  })

  test('a ticket is shown as overdue once its time has run out, and a clerk answers it', async () => {
    const trader = await firm.traderSession(await client('Tina'))
    await call('POST', '/v1/support/tickets', trader, { subject: 'Where is my money?', body: 'I sent it on Monday.' })
    const { data } = await call('GET', '/v1/support/tickets', firm.as.operator)
    await call('PATCH', `/v1/support/tickets/${data[0].id}`, firm.as.operator, { priority: 'urgent' })
    ahead += 62 * MINUTE
    await watchSla.run({ platform: app.running.platform, signal: new AbortController().signal })
    await at('/support?tab=overdue', firm.as.operator, async (page) => {
      await page.locator('.sla[data-standing=breached]').first().waitFor()
      await page.getByText('Where is my money?').click()
      await page.getByLabel('Reply').last().fill('It has arrived this morning.')
      await button(page, 'Reply').click()
      await page.getByText('Reply sent').waitFor()
      await page.locator('.status', { hasText: 'Waits for client' }).first().waitFor()
      await page.goto(`${app.base}/admin/support?tab=overdue`)
      await page.getByText('Nothing is overdue').waitFor()
    })
    const answered = await call('GET', `/v1/support/tickets/${data[0].id}`, trader)
    expect(answered.messages.map(({ body }: { body: string }) => body)).toEqual([
      'I sent it on Monday.',
      'It has arrived this morning.',
    ])
  })

  test('two colleagues who edit one client do not overwrite each other, and a draft stays with its client', async () => {
    const anna = await firm.trader({ firstName: 'Anna', lastName: 'First' })
    await firm.trader({ firstName: 'Berta', lastName: 'Second' })
    await at(`/traders/${anna}`, firm.as.operator, async (page) => {
      await button(page, 'Edit all').click()
      await page.getByLabel('Last name').fill('Mine')
      await call('PATCH', `/v1/traders/${anna}`, firm.as.manager, { lastName: 'Theirs', language: 'de' })
      // the reader returns to the tab after a minute, and the page is read again behind the open form
      await page.evaluate(
        'const now = Date.now; Date.now = () => now() + 60_000; window.dispatchEvent(new Event("visibilitychange"))',
      )
      await page.locator('h1', { hasText: 'Anna Theirs' }).waitFor()
      await button(page, 'Save').click()
      await page.getByText('This changed while you were working').waitFor()
      expect(await call('GET', `/v1/traders/${anna}`, firm.as.viewer)).toMatchObject({ lastName: 'Theirs' })
      const table = page.getByRole('table', { name: 'Yours and theirs' })
      await table.getByRole('cell', { name: 'Mine' }).waitFor()
      await page.getByText(/^manager of desk changed it/).waitFor()
      expect(await button(page, 'Save both').isDisabled()).toBe(true)
      await table.getByRole('radiogroup', { name: 'Keep of Last name' }).getByText('Yours').click()
      await button(page, 'Save both').click()
      await page.locator('h1', { hasText: 'Anna Mine' }).waitFor()
      // the field that only the colleague changed is kept too
      expect(await call('GET', `/v1/traders/${anna}`, firm.as.viewer)).toMatchObject({
        lastName: 'Mine',
        language: 'de',
      })

      await page.getByRole('tab', { name: 'Notes' }).click()
      await page.keyboard.press('Control+k')
      await page.getByLabel('Search people, numbers and pages').fill('Berta')
      await page.locator('.mantine-Spotlight-action', { hasText: 'Berta Second' }).click()
      await page.locator('h1', { hasText: 'Berta Second' }).waitFor()
      await page.getByRole('tab', { name: 'Notes' }).click()
      await page.getByLabel('New note').fill('Berta asked to be called.')
      await page.goBack()
      await page.locator('h1', { hasText: 'Anna Mine' }).waitFor()
      expect(await page.getByLabel('New note').inputValue()).toBe('')
      await page.goForward()
      await page.locator('h1', { hasText: 'Berta Second' }).waitFor()
      await page.waitForFunction("document.querySelector('textarea')?.value === 'Berta asked to be called.'")
    })
  })

  test('deposits are settled together, except one that a colleague decided meanwhile; tickets are assigned together', async () => {
    const traderId = await firm.trader({ firstName: 'Bella', lastName: 'Bulk' })
    const ids: string[] = []
    for (const amount of ['100.10', '200.20', '300.30']) {
      const deposit = { traderId, currency: 'EUR', amount, method: 'bank' }
      ids.push((await call('POST', '/v1/deposits', firm.as.operator, deposit)).id)
    }
    await at('/deposits?q=Bella', firm.as.manager, async (page) => {
      const dialog = page.getByRole('dialog')
      await page.getByRole('table').getByText('300.30').waitFor()
      await page.getByRole('checkbox', { name: 'Choose all rows shown' }).check()
      await page.locator('.bulk').getByText('600.60').waitFor()
      await page.keyboard.press('s')
      await dialog.getByText('600.60').waitFor()
      await call('POST', `/v1/deposits/${ids[1]}/cancel`, firm.as.operator)
      await dialog.getByRole('button', { name: 'Settle 3 in full' }).dblclick()
      await dialog.getByText('2 of 3 done').waitFor()
      await dialog
        .getByRole('row', { name: /^200.20 EUR/ })
        .getByText('Not done')
        .waitFor()
      await button(page, 'Done').click()
      await page.getByText('Nothing matches').waitFor()
    })
    const states = ids.map(async (id) => (await call('GET', `/v1/deposits/${id}`, firm.as.viewer)).status)
    expect(await Promise.all(states)).toEqual(['settled', 'cancelled', 'settled'])

    for (const subject of ['Bulk one', 'Bulk two'])
      await call('POST', '/v1/support/tickets', firm.as.operator, { traderId, subject, body: 'Please call.' })
    await at('/support', firm.as.operator, async (page) => {
      for (const subject of ['one', 'two']) await page.getByRole('checkbox', { name: `Choose Bulk ${subject}` }).check()
      await page.keyboard.press('a')
      await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
      await page.getByText('2 tickets assigned.').waitFor()
      await button(page, 'Undo').click()
      await page.getByText('2 tickets are as they were before.').waitFor()
    })
  })

  test('the pages of the daily work cause no console error, and no request leaves the machine', () => {
    expect(app.complaints).toEqual([])
  })
})
