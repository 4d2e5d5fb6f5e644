import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { type Firm, foundFirm } from '../app.ts'
import { ageAccount, button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)
describe.skipIf(!chromiumPath)('the copies of the installation', () => {
  let app: Console
  let firm: Firm
  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'copies')
    await ageAccount(app, firm.as.platform_admin.id)
  })
  afterAll(() => app?.close())

  test('one click each takes, proves and downloads a snapshot', async () => {
    await app.visit('/system', { as: firm.as.platform_admin }, async (page) => {
      await page.getByText('No copy has been restored yet').waitFor()
      await page.getByText('No snapshot yet').waitFor()
      await button(page, 'Take a snapshot now').click()
      const table = page.getByRole('table', { name: 'Snapshots' })
      await table.getByText('By hand').waitFor()
      await button(page, 'Run a drill now').click()
      await page.getByText('Every copy was proven to restore').waitFor()
      await page.getByText('Restore proven').waitFor()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        table.getByRole('button', { name: /^Download/ }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^\d{8}-\d{6}-manual\.tar$/)
      expect(
        readFileSync(await file.path())
          .subarray(0, 13)
          .toString(),
      ).toBe('manifest.json')
      expect(await app.faults(page)).toEqual([])
    })
    expect(app.complaints).toEqual([])
  })

  test('a copy that cannot be restored is reported on every page, with a link to the copies', async () => {
    const { blobs, connection, writer } = app.running.platform
    blobs.put(firm.tenantId, 'fil_1', new Uint8Array([1]), 1)
    await writer.submit(() =>
      connection.run(
        `INSERT INTO files (tenant_id, id, purpose, content_type, size, status, public, created_at, expires_at)
          VALUES (?, 'fil_1', 'logo', 'image/png', 1, 'attached', 0, 1, 1)`,
        [firm.tenantId],
      ),
    )
    blobs.remove(firm.tenantId, 'fil_1')
    await app.visit('/system', { as: firm.as.platform_admin }, async (page) => {
      // only the newest snapshot of a day is kept
      const known = await page.getByRole('button', { name: /^Download/ }).getAttribute('aria-label')
      await button(page, 'Take a snapshot now').click()
      await page.getByRole('button', { name: known ?? '' }).waitFor({ state: 'detached' })
      blobs.put(firm.tenantId, 'fil_1', new Uint8Array([1]), 1)
      await button(page, 'Run a drill now').click()
      await page.getByText('The last drill found a copy that is no good').waitFor()
    })
    await app.visit('/deposits', { as: firm.as.platform_admin }, async (page) => {
      const warning = page.getByRole('region', { name: 'Warning' })
      await warning.getByText('The last drill found').waitFor()
      await warning.getByRole('link', { name: 'Look' }).click()
      await page.getByRole('heading', { name: 'Copies' }).waitFor()
    })
  })
})
