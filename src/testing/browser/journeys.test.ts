import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { isCrmSigned, startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts'
import { type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)
const owner = { email: 'owner@browser.test', password: 'correct horse battery' }

describe.skipIf(!chromiumPath)('the console', () => {
  let app: Console
  let page: Page
  let context: BrowserContext
  let receiver: WebhookReceiver
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const go = (path: string) => page.goto(`${app.base}/admin${path}`)
  const post = async (path: string, data: object) => {
    const answer = await context.request.post(app.base + path, { data, headers: { origin: app.base } })
    expect(answer.ok()).toBe(true)
    return answer.json()
  }

  beforeAll(async () => {
    app = await startConsole()
    receiver = startWebhookReceiver()
    const opened = await app.open()
    context = opened.context
    page = opened.page
  })
  afterAll(async () => {
    await app?.close()
    await receiver?.stop()
  })

  test('an installation is set up with the printed token, and its owner signs in', async () => {
    await go(`/setup?token=${app.running.setupToken}`)
    await page.getByLabel(/firm/i).first().fill('Browser Brokers')
    await page
      .getByLabel(/your name/i)
      .first()
      .fill('Olivia Owner')
    await page
      .getByLabel(/e-mail/i)
      .first()
      .fill(owner.email)
    await page
      .getByLabel(/password/i)
      .first()
      .fill(owner.password)
    await page.locator('form button[type=submit]').click()
    await page.getByRole('heading', { name: 'Recovery key', exact: true }).waitFor()
    await button('The key is kept elsewhere').click()
    await page.getByLabel('Where the key is kept').fill('On paper, in the safe of the office.')
    await button('Note this').click()
    await page.getByText('Somebody said where the key is kept.').waitFor()
    await go('/')
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    const { open } = await (await context.request.get(`${app.base}/v1/setup`)).json()
    expect(open).toBe(false)

    const fresh = await app.open()
    await fresh.page.goto(`${app.base}/admin/deposits`)
    await fresh.page
      .getByLabel(/e-mail/i)
      .first()
      .fill(owner.email)
    await fresh.page
      .getByLabel(/password/i)
      .first()
      .fill('not the password')
    await fresh.page.locator('form button[type=submit]').click()
    await fresh.page.getByText(/not right/).waitFor()
    await fresh.page
      .getByLabel(/password/i)
      .first()
      .fill(owner.password)
    await fresh.page.locator('form button[type=submit]').click()
    await fresh.page.getByRole('heading', { name: 'Deposits' }).waitFor()
    await fresh.context.close()
  })

  test('a clerk creates a client and settles a wire short; the webhook arrives signed, and the audit shows it', async () => {
    const { secret } = await post('/v1/webhooks/subscriptions', {
      url: `${receiver.url}/hook`,
      events: ['deposit.settled'],
    })
    await go('/traders')
    await button('New client').first().click()
    await page.getByLabel('First name').fill('Wanda')
    await page.getByLabel('Last name').fill('Wire')
    await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('wanda@browser.test')
    await button('Add client').click()
    await page.getByRole('heading', { name: 'Wanda Wire' }).waitFor()

    await page.getByRole('tab', { name: 'Deposits' }).click()
    await button('New deposit').first().click()
    await page.getByLabel('Amount').fill('1,000.50')
    // the firm counts in dollars, and so does the form
    await page.getByText('= 1,000.50 USD').waitFor()
    await page.getByLabel('Reference').fill('WIRE-1')
    await button('Create deposit').click()
    await page.getByText('WIRE-1').click()
    await button('Settle').click()
    await page.getByLabel('Amount that arrived').fill('980.20')
    await page.getByText('20.30').waitFor()
    await page.getByLabel('Note').fill('bank fee')
    await button('Settle this amount').click()
    await page.getByText('Settled in part').first().waitFor()
    await page.getByText('Olivia Owner settled 980.20 USD (20.30 short)').waitFor()
    await page.getByText('bank fee').waitFor()
    expect(await page.locator('pre').count()).toBe(0)

    const [hook] = await receiver.waitFor(1)
    if (!hook) throw new Error('no webhook')
    expect(isCrmSigned(hook, secret)).toBe(true)
    expect(JSON.parse(hook.text).payload).toMatchObject({ partial: true, amount: '1000.50', settledAmount: '980.20' })

    await go('/audit')
    await page.getByText('Deposit settled in part').first().waitFor()
    await button('Check the log').click()
    await page.getByText('The audit log is whole').waitFor()
  })

  test('a webhook that was off gets the events that it missed, and its new secret is used at once', async () => {
    const { id } = await post('/v1/webhooks/subscriptions', { url: `${receiver.url}/late`, events: ['lead.created'] })
    await go(`/webhooks/${id}/deliveries`)
    const act = async (name: string) => {
      await button('Actions').click()
      await page.getByRole('menuitem', { name }).click()
    }
    await act('Turn off')
    await button('Turn off').click()
    await page.getByText('This webhook is off').waitFor()
    await post('/v1/leads', { email: 'missed@browser.test', source: 'fair' })
    await act('Turn on')
    await button('Turn on').click()
    await page.getByText('This webhook is off').waitFor({ state: 'detached' })
    await act('Recover missed events')
    await page.getByLabel('Since').fill('2020-01-01')
    await button('Send what was missed').click()
    await page.getByText('1 event is sent.').waitFor()
    await act('Replace secret')
    await page.getByLabel('stops at once').check()
    await button('Replace secret').click()
    await page.getByText('Copy it now').waitFor()
    await button('I have kept it').click()
    const { secretOverlapUntil } = await (
      await context.request.get(`${app.base}/v1/webhooks/subscriptions/${id}`)
    ).json()
    expect(secretOverlapUntil).toBeNull()
  })

  test('a key made in the console works at once and stops at once when revoked', async () => {
    await go('/api-keys')
    // the empty list shows a second button with this name once it is read
    await button('New API key').first().click()
    await page.getByLabel('Label').fill('Browser key')
    await page.getByLabel('Read clients, notes').check()
    await button('Create key').click()
    await page.getByText('Your new API key').waitFor()
    const key = ((await page.locator('.secret').textContent()) ?? '').trim()
    const ask = () => fetch(`${app.base}/v1/traders?limit=1`, { headers: { 'x-api-key': key } })
    expect((await ask()).status).toBe(200)
    await button('I have kept it').click()
    await button('Actions for Browser key').click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await button('Revoke key').click()
    await page.getByText('API key revoked').waitFor()
    expect((await ask()).status).toBe(401)
  })

  test('a colleague’s newer change is shown to the editor and not overwritten', async () => {
    const { data } = await (await context.request.get(`${app.base}/v1/traders?limit=1`)).json()
    const deposit = await post('/v1/deposits', {
      traderId: data[0].id,
      currency: 'USD',
      amount: '55.00',
      method: 'bank',
    })
    await go(`/deposits/${deposit.id}`)
    await button('Settle').click()
    await post(`/v1/deposits/${deposit.id}/settle`, {})
    await button('Settle in full').click()
    await page.getByText('This changed while you were working').waitFor()
    await button('Load the current version').click()
    await page.locator('.status', { hasText: /^Settled$/ }).waitFor()
  })

  test('the form asks about an amount with one separator before three digits, and sends it only after the answer', async () => {
    const { data } = await (await context.request.get(`${app.base}/v1/traders?limit=1`)).json()
    await go(`/traders/${data[0].id}?tab=deposits`)
    await button('New deposit').first().click()
    await page.getByRole('combobox', { name: 'Currency' }).fill('USDT')
    await page.getByLabel('Amount').fill('1,500')
    await button('Create deposit').click()
    await page.getByText('Say which of the two is meant').waitFor()
    expect(await page.getByLabel('Amount').inputValue()).toBe('1,500')
    await page.getByRole('button', { name: '1,500.00', exact: true }).click()
    await page.getByText('= 1,500.000000 USDT').waitFor()
    await button('Create deposit').click()
    await page.getByText('Deposit created').waitFor()
    const list = await (await context.request.get(`${app.base}/v1/deposits?currency=USDT`)).json()
    expect(list.data.map(({ amount }: { amount: string }) => amount)).toEqual(['1500.000000'])
  })

  test('typed text stays: Esc and Back ask first, and a person whose session ended signs in over the page', async () => {
    const { data } = await (await context.request.get(`${app.base}/v1/traders?limit=1`)).json()
    await go('/traders')
    await page.getByText('Wanda Wire').first().click()
    await page.getByRole('heading', { name: 'Wanda Wire' }).waitFor()
    await button('Edit all').click()
    await page.getByLabel('Last name').fill('Kept')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor()
    await button('Keep editing').click()
    await page.goBack()
    await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor()
    await button('Keep editing').click()
    expect(await page.getByLabel('Last name').inputValue()).toBe('Kept')

    const out = await context.request.post(`${app.base}/v1/auth/logout`, { headers: { origin: app.base } })
    expect(out.ok()).toBe(true)
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') keys.push(request.url())
    })
    await button('Save').click()
    const dialog = page.getByRole('dialog', { name: 'You were signed out' })
    await dialog.waitFor()
    await dialog.locator('input[type=password]').fill('not the password')
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.getByText(/not right/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.locator('input[type=password]').fill(owner.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Wanda Kept' }).waitFor()
    expect(keys).toHaveLength(2)
    const trader = await (await context.request.get(`${app.base}/v1/traders/${data[0].id}`)).json()
    expect(trader.lastName).toBe('Kept')
  })

  test('an invitation without a mail server shows its link for the inviter to pass on', async () => {
    await go('/users')
    await button('Invite a user').click()
    await page.getByLabel('Name', { exact: true }).fill('Mia Manager')
    await page.getByRole('dialog').getByLabel('E-mail').fill('mia@browser.test')
    await page.getByRole('checkbox', { name: /^Manager/ }).check()
    expect(await page.getByRole('checkbox', { name: /^Viewer/ }).isChecked()).toBe(false)
    await button('Invite').last().click()
    const dialog = page.getByRole('dialog', { name: 'No mail server: pass this link on' })
    await dialog.waitFor()
    expect(await page.getByText('Invitation sent').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Copy link' }).click()
    const link = (await dialog.locator('.secret').textContent()) ?? ''
    expect(link).toContain('/admin/accept-invite?token=')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Shared with Olivia Owner').waitFor()
  })

  test('the dashboard shows what came in today, and links to it', async () => {
    await go('/')
    const tile = page.getByRole('link', { name: /^In today/ })
    await tile.getByText('1,035.20').waitFor()
    await tile.click()
    await page.getByRole('heading', { name: 'Deposits' }).waitFor()
    await page.getByRole('table').getByText('980.20').waitFor()
    await page.getByText('2 rows').waitFor()
  })

  test('the pages of these journeys cause no console error, and no request leaves the machine', () => {
    expect(app.complaints).toEqual([])
  })
})
