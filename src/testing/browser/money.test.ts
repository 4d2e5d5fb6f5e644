import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { lapseApprovals } from '../../modules/books/withdrawals/withdrawals.jobs.ts'
import { systemCtx } from '../../platform/access/ctx.ts'
import { DAY } from '../../platform/clock.ts'
import { type Caller, type Firm, foundFirm } from '../app.ts'
import { signGatewayCallback } from '../fakes/gateway.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

const SECRET = 'the secret of a gateway'

describe.skipIf(!chromiumPath)('money in the console', () => {
  let app: Console
  let firm: Firm

  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'money')
  })
  afterAll(() => app?.close())

  const call: Console['ask'] = (...asked) => app.ask(...asked)
  const at = <T>(path: string, as: Caller, act: (page: Page) => Promise<T>) => app.visit(path, { as }, act)
  const write = (sql: string, params: string[]) =>
    systemCtx(app.running.platform, firm.tenantId, 'test').write('test.row', (tx) => tx.execute(sql, params))
  /** Makes a verified client with money. */
  const client = async (firstName: string, amount = '50000'): Promise<string> => {
    const traderId = await firm.trader({ firstName, lastName: 'Client' })
    await write('UPDATE traders SET kyc_level = 2 WHERE tenant_id = ?1 AND id = ?2', [traderId])
    const { id } = await call('POST', '/v1/deposits', firm.as.operator, {
      traderId,
      currency: 'EUR',
      amount,
      method: 'bank',
    })
    await call('POST', `/v1/deposits/${id}/settle`, firm.as.manager)
    return traderId
  }
  const age = (id: string, days: number) =>
    write('UPDATE withdrawals SET approved_at = approved_at - CAST(?3 AS INTEGER) WHERE tenant_id = ?1 AND id = ?2', [
      id,
      String(days * DAY),
    ])
  const ask = async (traderId: string, amount: string, holder?: string): Promise<string> => {
    const destination = { kind: 'bank', reference: `ACCOUNT ${amount}`, ...(holder && { holder }) }
    const body = { traderId, currency: 'EUR', amount, destination }
    return (await call('POST', '/v1/withdrawals', firm.as.operator, body)).id
  }

  test('a large deposit of a client shows its first approval, and a second person settles it', async () => {
    const traderId = await firm.trader({ firstName: 'Wilma', lastName: 'Wire' })
    const trader = await firm.traderSession(traderId)
    const { id } = await call('POST', '/v1/deposits', trader, { currency: 'EUR', amount: '50000', method: 'bank' })
    await at(`/deposits/${id}`, firm.as.manager, async (page) => {
      await button(page, 'Settle').click()
      await page.getByText('yours is the first approval').waitFor()
      await button(page, 'Settle in full').click()
      await page.getByText('A second person settles the same amount').waitFor()
      await page.getByText('manager of money gave the first approval of 50,000.00 EUR').first().waitFor()
      await page.locator('.status', { hasText: 'Pending, 1 of 2' }).waitFor()
      await button(page, 'Settle').click()
      await page.getByText('You gave the first approval of this deposit').waitFor()
      expect(await page.getByText('is credited to the wallet').count()).toBe(0)
    })
    await at('/deposits', firm.as.admin, async (page) => {
      await page.getByRole('table').getByText('Pending, 1 of 2').waitFor()
      await page.goto(`${app.base}/admin/deposits/${id}`)
      await button(page, 'Settle').click()
      await button(page, 'Settle in full').click()
      await page.getByText('admin of money settled 50,000.00 EUR').waitFor()
    })
  })

  test('a reference that was credited before is used again only after confirmation, with a note', async () => {
    const traderId = await firm.trader({ firstName: 'Rita', lastName: 'Repeat' })
    const deposit = { traderId, currency: 'EUR', amount: '10', method: 'bank', providerReference: 'SAME-1' }
    const { id } = await call('POST', '/v1/deposits', firm.as.operator, deposit)
    await call('POST', `/v1/deposits/${id}/settle`, firm.as.manager)
    await at(`/traders/${traderId}?tab=deposits`, firm.as.operator, async (page) => {
      await button(page, 'New deposit').click()
      await page.getByLabel('Amount').fill('12')
      await page.getByLabel('Reference').fill('SAME-1')
      await button(page, 'Create deposit').click()
      await page.getByLabel('This is another payment with the same reference').check()
      await button(page, 'Create deposit').click()
      await page.getByText('Say why the same reference is another payment').waitFor()
      await page.getByRole('dialog').getByLabel('Note').fill('The bank numbers each batch alike.')
      await button(page, 'Create deposit').click()
      await page.getByText('Deposit created').waitFor()
    })
    const { data } = await call('GET', `/v1/deposits?traderId=${traderId}`, firm.as.viewer)
    expect(data[0]).toMatchObject({ amount: '12.00', repeatOf: id, status: 'pending' })
    await at(`/deposits/${data[0].id}`, firm.as.operator, async (page) => {
      await button(page, 'More').click()
      await page.getByRole('menuitem', { name: 'Cancel it' }).click()
      await button(page, 'Cancel deposit').click()
      await page.locator('.status', { hasText: 'Cancelled' }).waitFor()
    })
  })

  test('the dialog that approves several withdrawals shows names, amounts and sums', async () => {
    const anna = await client('Anna')
    await ask(anna, '100.10', 'Anna Client')
    await ask(anna, '200.20', 'Somebody Else')
    await at('/withdrawals', firm.as.admin, async (page) => {
      // hovering waits until the page stays in its place
      await page.getByRole('table').getByText('100.10').hover()
      const top = async (): Promise<number> => (await page.getByRole('table').boundingBox())?.y ?? -1
      const before = await top()
      for (const box of await page.getByRole('checkbox', { name: /^Choose (?!all)/ }).all()) await box.check()
      // ticking a row must move no other row
      expect(await top()).toBe(before)
      await page.locator('.bulk').getByRole('button', { name: 'Approve' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('300.30').waitFor()
      await dialog.getByText(/Look closer: .*Holder/).waitFor()
      await dialog.getByText(/needs? a closer look and a note/).waitFor()
      await dialog.getByRole('button', { name: 'Approve 2' }).click()
      await dialog.getByText('Say why you approve them all the same').waitFor()
      await dialog.getByLabel('Note').fill('The holder is her husband.')
      await dialog.getByRole('button', { name: 'Approve 2' }).click()
      await page.getByText('2 of 2 done').waitFor()
    })
  })

  test('an approval that is not paid is reported, then lapses, and can be taken back only if no money was sent', async () => {
    const { data } = await call('GET', '/v1/withdrawals?status=approved', firm.as.viewer)
    const { id } = data[0]
    await age(id, 6)
    await at('/withdrawals?status=approved', firm.as.manager, async (page) => {
      await page.locator('.pay-before[data-soon]').first().waitFor()
      await page.goto(`${app.base}/admin/withdrawals/${id}`)
      await page.getByText('Not paid yet').waitFor()
    })
    await age(id, 2)
    await lapseApprovals.run({ platform: app.running.platform, signal: new AbortController().signal })
    await at(`/withdrawals/${id}`, firm.as.manager, async (page) => {
      await page.getByText('Its approval lapsed before it was paid').waitFor()
      await button(page, 'Reject').click()
      await page.getByLabel('Text for the client').fill('Please ask again.')
      const reject = page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true })
      await reject.click()
      await page.getByText('Confirm it first').waitFor()
      await page.getByLabel('Nothing was sent').check()
      await reject.click()
      await page.locator('.status', { hasText: 'Rejected' }).first().waitFor()
    })
  })

  test('a withdrawal whose approval lapsed says so where it is approved again and where it is paid', async () => {
    const { data } = await call('GET', '/v1/withdrawals?status=approved', firm.as.viewer)
    const { id } = data[0]
    await age(id, 8)
    await lapseApprovals.run({ platform: app.running.platform, signal: new AbortController().signal })
    await at('/withdrawals', firm.as.admin, async (page) => {
      await page
        .getByRole('table')
        .getByText(/^Lapsed before/)
        .waitFor()
      for (const box of await page.getByRole('checkbox', { name: /^Choose (?!all)/ }).all()) await box.check()
      await page.locator('.bulk').getByRole('button', { name: 'Approve' }).click()
      // one row opens the form of its own page
      const dialog = page.getByRole('dialog', { name: 'Approve this withdrawal' })
      await dialog.getByText('Find out whether the money left').waitFor()
    })
    await at(`/withdrawals/${id}`, firm.as.manager, async (page) => {
      await button(page, 'Approve').click()
      const approve = page.getByRole('dialog', { name: 'Approve this withdrawal' })
      await approve.getByText('Find out whether the money left').waitFor()
      await approve.getByLabel('Note').fill('The bank says that it left.')
      await approve.getByRole('button', { name: 'Approve', exact: true }).click()
      await page.locator('.status', { hasText: 'Lapsed, to pay' }).waitFor()
      await page.getByText('Approved again after a lapse').waitFor()
      await button(page, 'Mark as paid').click()
      const pay = page.getByRole('dialog', { name: 'Mark as paid' })
      await pay.getByText('use the reference of that payment').waitFor()
      await pay.getByLabel('Payment reference').fill('BANK-1')
      await pay.getByRole('button', { name: 'Mark as paid' }).click()
      await page.locator('.status', { hasText: 'Paid' }).waitFor()
      expect(await page.getByText('after a lapse').count()).toBe(0)
    })
  })

  test('a decision in an open dialog does not replace one that a colleague made meanwhile', async () => {
    const id = await ask(await client('Carla'), '70')
    await at(`/withdrawals/${id}`, firm.as.manager, async (page) => {
      await button(page, 'Reject').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Text for the client').fill('Please ask again.')
      await call('POST', `/v1/withdrawals/${id}/approve`, firm.as.admin, { note: 'I know her.' })
      // the page behind the dialog already shows that decision
      await page.locator('.status', { hasText: 'To pay' }).waitFor()
      await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
      await dialog.getByText('This changed while you were working').waitFor()
    })
    expect(await call('GET', `/v1/withdrawals/${id}`, firm.as.viewer)).toMatchObject({ status: 'approved' })
  })

  test('a gateway’s message that contradicts the books is closed by a manager from the dashboard', async () => {
    const traderId = await firm.trader({ firstName: 'Greta', lastName: 'Gate' })
    const psp = await call('POST', '/v1/psp/connections', firm.as.owner, {
      name: 'Gate',
      kind: 'generic',
      secret: SECRET,
    })
    const announced = { traderId, currency: 'EUR', amount: '100', method: 'card', pspConnectionId: psp.id }
    const { id } = await call('POST', '/v1/deposits', firm.as.operator, announced)
    const word = signGatewayCallback(SECRET, {
      reference: 'PAY-9',
      depositId: id,
      status: 'success',
      amount: '1000.00',
      currency: 'EUR',
    })
    const answer = await app.call('POST', psp.callbackPath, { raw: word.body, headers: word.headers })
    expect(answer.status).toBe(409)
    await at('/', firm.as.manager, async (page) => {
      await page.getByRole('link', { name: /Gateway message that contradicts the books/ }).click()
      await page.getByRole('tab', { name: 'Exceptions' }).waitFor()
      expect(await page.getByRole('tab', { name: 'Connections' }).count()).toBe(0)
      await page.getByRole('table').getByText('PAY-9').click()
      await page.getByRole('dialog').getByText('Another amount than announced').waitFor()
      await button(page, 'Close it').click()
      const dialog = page.getByRole('dialog', { name: 'Close this exception' })
      await dialog.getByLabel('Reason').fill('The gateway corrected it to 100.00.')
      await dialog.getByRole('combobox', { name: 'Deposit that booked it' }).click()
      await page.getByRole('option', { name: /100\.00 EUR/ }).click()
      await dialog.getByRole('button', { name: 'Close it' }).click()
      await page.getByText('Nothing is waiting').waitFor()
    })
    const closed = await call('GET', '/v1/psp/exceptions?state=closed', firm.as.manager)
    expect(closed.data).toMatchObject([{ bookedByDepositId: id, closedBy: firm.as.manager.id }])
  })

  test('a transfer that was sent to the platform is acknowledged by a manager', async () => {
    await call('PATCH', '/v1/tenants/current', firm.as.owner, { platformAcknowledges: true })
    const traderId = await client('Theo')
    const account = await call('POST', '/v1/accounts', firm.as.operator, {
      traderId,
      platform: 'terminal5',
      currency: 'EUR',
      accountNumber: '7777',
    })
    const [wallet] = (await call('GET', `/v1/wallets?traderId=${traderId}`, firm.as.viewer)).data
    const move = { fromWalletId: wallet.id, toAccountId: account.id, amount: '25' }
    await call('POST', '/v1/transfers', firm.as.operator, move)
    await at('/transfers?state=sent', firm.as.manager, async (page) => {
      await page.getByRole('table').getByText('Sent to the platform').click()
      await button(page, 'Platform refused it').click()
      const dialog = page.getByRole('dialog', { name: 'The platform refused it' })
      await dialog.getByRole('button', { name: 'It was refused' }).click()
      await dialog.getByText('Say what the platform said').waitFor()
      await dialog.getByLabel('Reason').fill('The account is closed there.')
      await dialog.getByRole('button', { name: 'It was refused' }).click()
      await page.getByText('Transfer refused').waitFor()
    })
    const { data } = await call('GET', `/v1/wallets?traderId=${traderId}`, firm.as.viewer)
    expect(data).toMatchObject([{ available: '50000.00' }])
  })

  test('the money pages cause no console error, and no request leaves the machine', () => {
    expect(app.complaints).toEqual([])
  })
})
