import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hashPassword } from '../../modules/firm/auth/auth.passwords.ts'
import { setPassword } from '../../modules/firm/auth/auth.service.ts'
import { users } from '../../modules/firm/users/users.table.ts'
import { systemCtx } from '../../platform/access/ctx.ts'
import { type Firm, foundFirm } from '../app.ts'
import { until } from '../until.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)
const PASSWORD = 'correct horse battery'
const PEOPLE = [
  ['Olga Owner', 'olga@leaving.test'],
  ['Otto Owner', 'otto@leaving.test'],
] as const

describe.skipIf(!chromiumPath)('what stands on a page when it is left, and whose page it is', () => {
  let app: Console
  let firm: Firm

  beforeAll(async () => {
    app = await startConsole()
    const { platform } = app.running
    firm = await foundFirm(platform, 'leaving')
    const passwordHash = await hashPassword(PASSWORD)
    await systemCtx(platform, firm.tenantId, 'test').write('test.users', (tx) => {
      for (const [displayName, email] of PEOPLE) {
        const user = tx.insert(users, { email, displayName, roles: ['owner'], status: 'active' })
        setPassword(tx, { userId: user.id }, passwordHash)
      }
      return null
    })
  })
  afterAll(() => app?.close())

  const question = (page: Page) => page.getByRole('dialog', { name: 'Discard changes?' })
  const at = (path: string, act: (page: Page) => Promise<void>) =>
    app.visit(path, { as: { email: PEOPLE[0][1], password: PASSWORD } }, act)
  const changeTwoForms = async (page: Page): Promise<void> => {
    await page.getByRole('textbox', { name: 'Firm', exact: true }).fill('Another name')
    await page.getByLabel('Spread').fill('0.7')
  }
  const signOut = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: /Olga Owner/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }

  test('leaving a page with two changed forms asks once, and keeps both if the reader stays', () =>
    at('/settings', async (page) => {
      await changeTwoForms(page)
      await page.getByRole('link', { name: 'Clients' }).click()
      await question(page).waitFor()
      await button(page, 'Keep editing').click()
      expect(await page.getByLabel('Spread').inputValue()).toContain('0.7')
      await page.getByRole('link', { name: 'Clients' }).click()
      await button(page, 'Discard').click()
      await page.getByRole('heading', { name: 'Clients' }).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
    }))

  test('a reload of a page with a changed form asks first, and a reader who stays keeps the typed text', () =>
    at('/settings', async (page) => {
      const asked: string[] = []
      page.on('dialog', (dialog) => {
        asked.push(dialog.type())
        return dialog.dismiss()
      })
      await changeTwoForms(page)
      await page.evaluate('location.reload()').catch(() => {})
      await until('the browser asked', () => asked.length > 0)
      expect(asked).toEqual(['beforeunload'])
      expect(await page.getByLabel('Spread').inputValue()).toContain('0.7')
    }))

  test('a page declares its language, and the reader can change it', () =>
    at('/', async (page) => {
      expect(await page.locator('html').getAttribute('lang')).toBe('en')
      await page.evaluate(`localStorage.setItem('language', 'de')`)
      await page.reload()
      await page.getByRole('link', { name: 'Kunden' }).first().waitFor()
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
    }))

  test('signing out with a changed form asks before the session ends', () =>
    at('/settings', async (page) => {
      await changeTwoForms(page)
      await signOut(page)
      await question(page).waitFor()
      await button(page, 'Keep editing').click()
      await button(page, 'Save').first().click()
      await page.getByText('Settings saved').waitFor()
      await signOut(page)
      await button(page, 'Discard').click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
    }))

  test('the Back button does nothing while the page asks for the password', () =>
    at('/traders', async (page) => {
      await page.getByRole('link', { name: 'Settings' }).click()
      const name = page.getByRole('textbox', { name: 'Firm', exact: true })
      await name.fill('Typed before the session ended')
      await page.context().clearCookies()
      await button(page, 'Save').first().click()
      const ended = page.getByRole('dialog', { name: 'You were signed out' })
      await ended.waitFor()
      await page.goBack()
      await page.waitForURL('**/admin/settings')
      await ended.getByLabel('Password', { exact: true }).fill(PASSWORD)
      expect(await page.getByRole('dialog').count()).toBe(1)
      await ended.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('Settings saved').waitFor()
      expect(page.url()).toBe(`${app.base}/admin/settings`)
      expect(await name.inputValue()).toBe('Typed before the session ended')
    }))

  test('a page is covered and sends no change after another person has signed in with the same browser', () =>
    at('/settings', async (page) => {
      const changes: string[] = []
      page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.url()))
      page.on('dialog', (dialog) => dialog.accept())
      await page.getByRole('textbox', { name: 'Firm', exact: true }).fill('Typed by Olga')
      const second = await page.context().newPage()
      await second.goto(`${app.base}/admin/`)
      await signOut(second)
      await page.getByRole('dialog', { name: 'You were signed out' }).waitFor()
      await second.getByLabel('E-mail').fill(PEOPLE[1][1])
      await second.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await button(second, 'Sign in').click()
      await second.getByRole('button', { name: /Otto Owner/ }).waitFor()
      const cover = page.getByRole('dialog', { name: 'You are now signed in as Otto Owner in this browser' })
      await cover.waitFor()
      await page.evaluate(`[...document.querySelectorAll('button')].find((one) => one.textContent === 'Save').click()`)
      await page.getByText('Somebody else is signed in').waitFor()
      expect(changes).toEqual([])
      expect(await second.getByRole('dialog').count()).toBe(0)
      await cover.getByRole('button', { name: 'Reload the page' }).click()
      await page.getByRole('button', { name: /Otto Owner/ }).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
    }))

  test('a secret that is shown once stays on the screen after a second Enter and Back, until it was saved', () =>
    at('/traders', async (page) => {
      await page.getByRole('link', { name: 'API keys' }).click()
      await button(page, 'New API key').first().click()
      await page.getByRole('dialog').getByRole('checkbox').first().check()
      await page.getByLabel('Label').fill('Shown once')
      await page.keyboard.press('Enter')
      const made = page.getByRole('dialog', { name: 'Your new API key' })
      await made.waitFor()
      await page.waitForFunction(`document.activeElement?.textContent === 'Copy'`)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      expect(await made.getByRole('button', { name: 'Close' }).count()).toBe(0)
      await page.goBack()
      await made.getByText('Keep it first').waitFor()
      await page.waitForURL('**/admin/api-keys')
      await button(page, 'I have kept it').click()
      await made.waitFor({ state: 'detached' })
      await page.goBack()
      await page.getByRole('heading', { name: 'Clients' }).waitFor()
    }))

  test('the second click of a double click does not close the dialog that the first one opened', async () => {
    const body = { traderId: await firm.trader(), currency: 'EUR', amount: '12', method: 'bank' }
    const made = await app.call('POST', '/v1/deposits', { as: firm.as.operator, body })
    await at(`/deposits/${made.body.id}`, async (page) => {
      // hovering waits until nothing moves the button any more
      await button(page, 'Settle').hover()
      const box = await button(page, 'Settle').boundingBox()
      const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2]
      await page.mouse.click(x, y)
      // Checks this in each frame, since the wait of a locator checks too seldom for a second click.
      const covered = `document.elementFromPoint(${x}, ${y}).closest('.mantine-Modal-overlay') !== null`
      await page.waitForFunction(covered, null, { polling: 'raf' })
      await page.mouse.down({ clickCount: 2 })
      await page.mouse.up({ clickCount: 2 })
      await page.getByText('Settle in full').hover()
      // the first of these may still count as the second click
      for (let n = 0; n < 2; n += 1) await page.mouse.click(100, 500)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    })
  })
})
