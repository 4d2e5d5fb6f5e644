import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { furnish } from '../../contract/seed-firm.ts'
import { systemClock } from '../../platform/clock.ts'
import { de } from '../../words/de.ts'
import { en } from '../../words/en.ts'
import { type Firm, foundFirm } from '../app.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts'
import { type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(300_000)

/** On a phone, a push looks with axe only at these lists, which become cards; `bun run dialogs` looks at every page. */
const PHONE_CARDS: ReadonlySet<string> = new Set(['/traders', '/deposits?status=*', '/support', '/positions'])

/** The texts of a page, and those that its parts have for screen readers and as hints. */
const TEXTS = `[...document.querySelectorAll('body *')].flatMap((part) => [
  ...[...part.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
  ...['aria-label', 'title', 'placeholder'].map((name) => part.getAttribute(name) ?? ''),
]).map((text) => text.trim())`
const german: ReadonlySet<string> = new Set(Object.values(de))
/** What a ticket, a column of a table and a mail of the test firm are called, in whatever language. */
const STORED: readonly string[] = ['Help', 'held', 'Exchange rates wait for a second person']
/** The English sentences without values that no German one is like. */
const ENGLISH: ReadonlySet<string> = new Set(
  Object.values(en).filter((text) => /^[^{<']{3,}$/.test(text) && !german.has(text) && !STORED.includes(text)),
)

describe.skipIf(!chromiumPath)('every page', () => {
  let app: Console
  let firm: Firm
  let receiver: WebhookReceiver
  let pages: string[]

  beforeAll(async () => {
    receiver = startWebhookReceiver()
    app = await startConsole()
    const { platform } = app.running
    firm = await foundFirm(platform, 'pages')
    const place = await furnish({ platform, call: app.call, clock: systemClock }, firm, `${receiver.url}/hook`)
    // the page then shows a rate that waits for a second person, too
    const rates = [{ base: 'EUR', quote: 'PLN', rate: '9' }]
    await app.call('POST', '/v1/fx/rates/upsert', { as: firm.as.admin, body: { rates } })
    const id = (path: string): string => place.ids[path] ?? ''
    const trader = `/traders/${id('/v1/traders/:id')}`
    const TABS = ['accounts', 'wallets', 'deposits', 'withdrawals', 'transfers', 'kyc', 'tickets', 'positions', 'notes']
    const twin = await place.make.trader()
    pages = [
      '/views',
      '/merge',
      `/merge?primary=${id('/v1/traders/:id')}&secondary=${twin}`,
      '/traders/import',
      `/traders/import/${id('/v1/traders/import/:id')}`,
      '/',
      '/traders',
      '/deposits?status=*',
      '/withdrawals?status=*',
      '/kyc?status=*',
      '/sanctions',
      '/support',
      '/support?tab=overdue',
      '/leads',
      '/leads?view=board',
      '/positions',
      '/accounts',
      '/wallets',
      '/transfers',
      '/adjustments?status=*',
      '/rates',
      '/ledger',
      '/api-keys',
      '/webhooks',
      '/gateways',
      '/users',
      '/audit',
      ...['', ...['cohorts', 'revenue', 'activity', 'tax'].map((tab) => `?tab=${tab}`)].map((tab) => `/reports${tab}`),
      ...['', ...['payouts', 'commissions', 'plans', 'runs', 'funnel'].map((tab) => `?tab=${tab}`)].map(
        (tab) => `/affiliates${tab}`,
      ),
      '/ads',
      `/ads/${id('/v1/ads/connections/:id')}`,
      `/affiliates/${id('/v1/affiliates/:id')}`,
      '/sql',
      '/mail',
      '/settings',
      '/tenants',
      '/system',
      '/recovery-key',
      '/security',
      trader,
      ...TABS.map((tab) => `${trader}?tab=${tab}`),
      `/deposits/${id('/v1/deposits/:id')}`,
      `/kyc/${id('/v1/kyc/submissions/:id')}`,
      `/withdrawals/${id('/v1/withdrawals/:id')}`,
      `/support/${id('/v1/support/tickets/:id')}`,
      `/webhooks/${id('/v1/webhooks/subscriptions/:id')}/deliveries`,
      `/webhooks/deliveries/${id('/v1/webhooks/deliveries/:id')}`,
    ]
  })
  afterAll(async () => {
    await app?.close()
    await receiver?.stop()
  })

  test.concurrent.each([1440, 390])('every page at %d px is accessible, fits, and shows its content', async (width) => {
    const { page, context } = await app.open({ width, as: firm.as.platform_admin })
    const found: string[] = []
    await page.goto(`${app.base}/admin/`)
    await page.getByRole('heading').first().waitFor()
    for (const path of pages) {
      await app.go(page, path)
      await page.getByRole('heading').first().waitFor()
      const look = width > 1000 || PHONE_CARDS.has(path) ? app.faultsByScheme : app.tooWide
      found.push(...(await look(page)).map((fault) => `${path}: ${fault}`))
      const trouble = await page.locator('main [role=alert], main h1:text("There is no such page")').allTextContents()
      found.push(...trouble.map((text) => `${path}: says “${text}”`))
    }
    await context.close()
    expect(found).toEqual([])
  })

  test.concurrent('no page in German shows an English sentence', async () => {
    const { page, context } = await app.open({ locale: 'de-DE', as: firm.as.platform_admin })
    const found: string[] = []
    await page.goto(`${app.base}/admin/`)
    await page.getByRole('heading').first().waitFor()
    for (const path of pages) {
      await app.go(page, path)
      await page.getByRole('heading').first().waitFor()
      const texts: string[] = await page.evaluate(TEXTS)
      found.push(...texts.filter((text) => ENGLISH.has(text)).map((text) => `${path}: ${text}`))
    }
    await context.close()
    expect(found).toEqual([])
  })

  test('the pages cause no console error, and no request leaves the machine', () => {
    expect(app.complaints).toEqual([])
  })
})
