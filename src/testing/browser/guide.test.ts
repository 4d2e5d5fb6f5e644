import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { PAGES } from '../../modules/box/guide/guide.pages.ts'
import { type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

describe.skipIf(!chromiumPath)('the pages beside the explorer', () => {
  let app: Console
  beforeAll(async () => {
    app = await startConsole()
  })
  afterAll(() => app?.close())

  test.each([
    [1440, false],
    [1440, true],
    [390, false],
    [390, true],
  ])('pages beside the explorer at %d px (dark: %p) are accessible and fit', async (width, dark) => {
    const { page, context } = await app.open({ width, dark })
    const found: string[] = []
    for (const { slug } of PAGES) {
      await page.goto(`${app.base}/docs/guide/${slug}`)
      found.push(...(await app.faults(page, 'any')).map((fault) => `${slug}: ${fault}`))
    }
    await context.close()
    expect(found).toEqual([])
    expect(app.complaints).toEqual([])
  })

  test('the explorer asks for a key first, and links to the guide', async () => {
    const { page, context } = await app.open()
    await page.goto(`${app.base}/docs`)
    await page.getByText('Selected Auth Type: apiKey').first().waitFor()
    await page.getByRole('link', { name: 'error codes' }).first().click()
    await page.getByRole('heading', { name: 'Errors' }).waitFor()
    await context.close()
    expect(app.complaints).toEqual([])
  })
})
