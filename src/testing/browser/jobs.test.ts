import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Firm, foundFirm } from '../app.ts'
import { type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

describe.skipIf(!chromiumPath)('the page of the installation', () => {
  let app: Console
  let firm: Firm
  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'jobs')
  })
  afterAll(() => app?.close())

  test('an administrator sees the jobs of the installation, and runs one now', async () => {
    await app.visit('/system', { as: firm.as.platform_admin }, async (page) => {
      const row = page.getByRole('row', { name: /ledger\.check/ })
      await row.getByText('Checks that the books add up').waitFor()
      await page.getByRole('button', { name: 'Run ledger.check now' }).click()
      await page.getByText('ledger.check was started.').waitFor()
      // the server's own first run would come only after the end of this test
      await row
        .getByText(/Nothing to do|Done/)
        .first()
        .waitFor()
      const { data } = await app.ask('GET', '/v1/system/jobs', firm.as.platform_admin)
      const job = data.find(({ name }: { name: string }) => name === 'ledger.check')
      expect(job.lastRun.startedAt).not.toBeNull()
    })
  })

  test('an owner cannot open the page of the installation', async () => {
    await app.visit('/system', { as: firm.as.owner }, async (page) => {
      await page.getByText('This page is not for your role').waitFor()
    })
  })
})
