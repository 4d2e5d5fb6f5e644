import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { furnish } from '../../contract/seed-firm.ts'
import { systemClock } from '../../platform/clock.ts'
import { foundFirm } from '../app.ts'
import { OFAC } from '../fakes/sanctions-lists.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts'
import { until } from '../until.ts'
import { type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

describe.skipIf(!chromiumPath)('papers and lists', () => {
  let app: Console
  let receiver: WebhookReceiver
  beforeAll(async () => {
    receiver = startWebhookReceiver()
    app = await startConsole()
  })
  afterAll(async () => {
    await app?.close()
    await receiver?.stop()
  })

  test('without a sanctions list the page warns, loads OFAC’s three files, and shows a list that failed', async () => {
    const firm = await foundFirm(app.running.platform, 'lists')
    const traderId = await firm.trader({ firstName: 'Dmitri', lastName: 'Barkov' })
    const { page, context } = await app.open({ as: firm.as.admin })
    await page.goto(`${app.base}/admin/sanctions`)
    await page.getByText('No list is loaded: nobody is screened').waitFor()
    expect(await app.faults(page)).toEqual([])
    await page.getByRole('link', { name: 'Load a list' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Version').fill('2026-01-05')
    const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    const input = dialog.locator('input[type=file]')
    await input.setInputFiles([file('SDN.CSV', OFAC.sdn), file('ALT.CSV', OFAC.sdn), file('ADD.CSV', OFAC.add)])
    await dialog.getByRole('button', { name: 'Load and screen' }).click()
    await dialog.getByText(/is not ALT.CSV/i).waitFor()
    await input.setInputFiles([file('SDN.CSV', OFAC.sdn), file('ALT.CSV', OFAC.alt), file('ADD.CSV', OFAC.add)])
    await dialog.getByRole('button', { name: 'Load and screen' }).click()
    await page.getByText('Loaded, 3 entries').waitFor()
    await page.getByText('No list is loaded: nobody is screened').waitFor({ state: 'hidden' })
    const hit = async () =>
      (await app.call('GET', `/v1/sanctions/hits?traderId=${traderId}`, { as: firm.as.manager })).body.data.length
    await until('the client is screened', async () => (await hit()) > 0)
    expect(await hit()).toBe(1)

    const { platform } = app.running
    await platform.writer.submit(() =>
      platform.connection.run(
        `INSERT INTO sanctions_lists (tenant_id, id, source, list_version, hash, entries, current, status, failure, created_at)
         VALUES (?, 'sal_zz', 'un', 'March', 'h', 1, 0, 'failed', 'comparing everybody with it failed three times', ?)`,
        [firm.tenantId, systemClock.now()],
      ),
    )
    await page.goto(`${app.base}/admin/sanctions?tab=lists`)
    await page.getByText('UN consolidated March is not in use').waitFor()
    await page.locator('.status', { hasText: 'Failed' }).waitFor()
    expect(await app.faults(page)).toEqual([])
    await page.goto(`${app.base}/admin/`)
    await page.getByText('Sanctions list that could not be screened').waitFor()
    await context.close()
  })

  test('a manager revokes an approval of documents with a reason and a text for the client; an operator cannot', async () => {
    const firm = await foundFirm(app.running.platform, 'papers')
    const place = await furnish(
      { platform: app.running.platform, call: app.call, clock: systemClock },
      firm,
      `${receiver.url}/hook`,
    )
    const traderId = await place.make.trader()
    const id = await place.make.submission(traderId)
    await place.make.approved(id)
    const watching = await app.open({ as: firm.as.operator })
    await watching.page.goto(`${app.base}/admin/kyc/${id}`)
    await watching.page.getByRole('img', { name: 'Passport' }).waitFor()
    expect(await watching.page.getByRole('button', { name: 'Revoke approval' }).count()).toBe(0)
    await watching.context.close()
    const { page, context } = await app.open({ as: firm.as.manager })
    await page.goto(`${app.base}/admin/kyc/${id}`)
    await page.getByRole('button', { name: 'Revoke approval' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Revoke approval' }).click()
    await dialog.getByText('Say why the approval is taken back').waitFor()
    await dialog.getByLabel('Reason').fill('The provider withdrew it')
    await dialog.getByLabel('Text for the client').fill('Please send a new passport.')
    expect(await app.faults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Revoke approval' }).click()
    await page.getByText(/^Approval of .* revoked/).waitFor()
    await page.locator('.status', { hasText: 'Rejected' }).first().waitFor()
    const { body } = await app.call('GET', `/v1/kyc/submissions/${id}`, { as: firm.as.viewer })
    expect(body).toMatchObject({
      rejectionDetail: 'Please send a new passport.',
      staff: { rejectionNote: 'The provider withdrew it' },
    })
    await context.close()
  })
})
