import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Firm, foundFirm } from '../app.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

describe.skipIf(!chromiumPath)('views, merging and bulk changes', () => {
  let app: Console
  let firm: Firm
  let ada: string
  let twin: string

  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'views')
    ada = await firm.trader({ firstName: 'Ada', lastName: 'Lovelace' })
    twin = await firm.trader({ firstName: 'Ada', lastName: 'Byron' })
    const money = { traderId: twin, currency: 'EUR', amount: '250', method: 'bank' }
    const { id } = await app.ask('POST', '/v1/deposits', firm.as.operator, money)
    await app.ask('POST', `/v1/deposits/${id}/settle`, firm.as.manager)
  })
  afterAll(() => app?.close())

  test('an owner views as a client with a reason, under a banner, and ends the view', async () => {
    const { page, context } = await app.open({ as: firm.as.owner })
    await page.goto(`${app.base}/admin/traders/${twin}`)
    await button(page, 'Actions').click()
    await page.getByRole('menuitem', { name: 'View as' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'View', exact: true }).click()
    await page.getByText('Say why you look').waitFor()
    await page.getByLabel('Why you look').fill('They see no balance.')
    await page.getByRole('dialog').getByRole('button', { name: 'View', exact: true }).click()
    const banner = page.getByRole('region', { name: 'View' })
    await banner.getByText('You view as Ada Byron.').waitFor()
    expect(await banner.getByRole('timer').textContent()).toMatch(/^1[45]:\d\d$/)
    await page.getByText('250.00').first().waitFor()
    await app.loaded(page)
    expect(await app.faults(page)).toEqual([])
    // another tab of the browser still belongs to the owner
    const other = await context.newPage()
    await other.goto(`${app.base}/admin/traders`)
    await other.getByRole('heading', { name: 'Clients' }).waitFor()
    expect(await other.getByRole('region', { name: 'View' }).count()).toBe(0)
    await banner.getByRole('button', { name: 'End' }).click()
    await page.waitForURL(`${app.base}/admin/traders/${twin}`)
    await button(page, 'Actions').waitFor()
    await page.goto(`${app.base}/admin/views`)
    await page.getByText('They see no balance.').waitFor()
    await page.getByText('Over').first().waitFor()
    await context.close()
    expect(app.complaints).toEqual([])
  })

  test('a view as a colleague shows their console, and a change is refused with an explanation', async () => {
    const { page, context } = await app.open({ as: firm.as.owner })
    await page.goto(`${app.base}/admin/users`)
    await page.getByRole('button', { name: 'Actions for operator of views' }).click()
    await page.getByRole('menuitem', { name: 'View as' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'View', exact: true }).click()
    await page.getByText('You view as operator of views.').waitFor()
    expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Clients' }).click()
    await button(page, 'New client').click()
    await page.getByRole('textbox', { name: 'E-mail' }).fill('new@views.test')
    await page.getByRole('dialog').locator('button[type=submit]').click()
    await page.getByText('You view as somebody else').waitFor()
    await context.close()
  })

  test('a manager changes many clients at once, and takes the last change back', async () => {
    const { page, context } = await app.open({ as: firm.as.manager })
    await page.goto(`${app.base}/admin/traders`)
    await page.getByRole('heading', { name: 'Clients' }).waitFor()
    for (const name of ['Ada Lovelace', 'Ada Byron'])
      await page.getByRole('row', { name }).getByRole('checkbox').check()
    await button(page, 'Change').click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Risk' }).click()
    await page.getByRole('option', { name: 'High' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
    await page.getByText('2 of 2 done').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    expect((await app.ask('GET', `/v1/traders/${ada}`, firm.as.viewer)).riskLevel).toBe('high')
    await page.getByText('2 clients were changed.').waitFor()
    await button(page, 'Undo').click()
    await page.getByText('2 clients are as before.').waitFor()
    expect((await app.ask('GET', `/v1/traders/${ada}`, firm.as.viewer)).riskLevel).toBe('low')
    await context.close()
  })

  test('an admin compares two clients side by side and merges them', async () => {
    const { page, context } = await app.open({ as: firm.as.admin })
    await page.goto(`${app.base}/admin/merge?primary=${ada}&secondary=${twin}`)
    await page.getByRole('table', { name: 'Side by side' }).getByText('Ada Byron').waitFor()
    await page.getByText('1 deposit', { exact: true }).waitFor()
    await page.getByText('Last name').waitFor()
    await button(page, 'Merge').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
    await page.waitForURL(`${app.base}/admin/traders/${ada}`)
    await page.goto(`${app.base}/admin/traders/${twin}`)
    await page.getByRole('link', { name: 'Open the client who stays' }).click()
    await page.waitForURL(`${app.base}/admin/traders/${ada}`)
    const { data } = await app.ask('GET', `/v1/wallets?traderId=${ada}`, firm.as.viewer)
    expect(data[0].available).toBe('250.00')
    await context.close()
  })
})
