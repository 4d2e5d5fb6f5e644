import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import type { BrowserContext, Page } from 'playwright-core'
import { hashPassword } from '../../modules/firm/auth/auth.passwords.ts'
import { setPassword } from '../../modules/firm/auth/auth.service.ts'
import { credentials } from '../../modules/firm/auth/auth.table.ts'
import { accountActs } from '../../modules/firm/independence/independence.table.ts'
import { users } from '../../modules/firm/users/users.table.ts'
import { systemCtx } from '../../platform/access/ctx.ts'
import { HOUR, systemClock } from '../../platform/clock.ts'
import { type Firm, foundFirm } from '../app.ts'
import { type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)
const GIVEN = 'given by a colleague'
const OWN = 'correct horse battery'

describe.skipIf(!chromiumPath)('signing in to the console', () => {
  let app: Console
  let firm: Firm
  let page: Page
  let context: BrowserContext
  let ahead = 0
  const email = 'ada@signing.test'
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const accessible = async (): Promise<void> => expect(await app.faults(page)).toEqual([])

  beforeAll(async () => {
    app = await startConsole({ ...systemClock, now: () => systemClock.now() + ahead })
    const { platform } = app.running
    firm = await foundFirm(platform, 'signing')
    const passwordHash = await hashPassword(GIVEN)
    await systemCtx(platform, firm.tenantId, 'test').write('test.user', (tx) => {
      const user = tx.insert(users, { email, displayName: 'Ada Admin', roles: ['admin'], status: 'active' })
      setPassword(tx, { userId: user.id }, passwordHash, { given: true })
      return null
    })
    const opened = await app.open()
    page = opened.page
    context = opened.context
  })
  afterAll(async () => {
    await context?.close()
    await app?.close()
  })

  test('a person must change a password that a colleague chose before anything else', async () => {
    await page.goto(`${app.base}/admin/api-keys`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(GIVEN)
    await button('Sign in').click()
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    await accessible()
    await page.getByLabel('Password you were given').fill(GIVEN)
    await page.getByLabel('New password').fill('1234567890')
    await button('Set password').click()
    await page.getByText(/guessed first/).waitFor()
    await page.getByLabel('New password').fill(OWN)
    await button('Set password').click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
  })

  test('an action that needs a fresh sign-in asks for the password over the form, and then continues', async () => {
    ahead += HOUR
    await button('New API key').first().click()
    await page.getByLabel('Label').fill('Website')
    await page.getByLabel(/^Read clients/).check()
    await button('Create key').click()
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await question.waitFor()
    await accessible()
    // Escape closes the question and not the form
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await button('Create key').click()
    await question.getByLabel('Your password').fill('not the password')
    await question.getByRole('button', { name: 'Confirm' }).click()
    await question.getByText('Is not the current password').waitFor()
    await question.getByLabel('Your password').fill(OWN)
    await question.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Your new API key').waitFor()
    await button('I have kept it').click()
    const { data } = await (await context.request.get(`${app.base}/v1/api-keys`)).json()
    expect(data.map(({ label }: { label: string }) => label)).toEqual(['Website'])
  })

  test('a person must set up a second factor that the firm requires before anything else', async () => {
    const body = { security: { secondFactorRoles: ['admin'] } }
    expect((await app.call('PATCH', '/v1/tenants/current', { as: firm.as.owner, body })).status).toBe(200)
    // the open page learns about the new rule with its next call
    await page.getByRole('link', { name: 'Clients' }).first().click()
    await page.getByRole('heading', { name: 'Turn on two-step sign-in' }).waitFor()
    const key = page.locator('code.key')
    await page.waitForFunction(`(document.querySelector('code.key')?.textContent ?? '').length > 20`)
    await accessible()
    const secret = Secret.fromBase32(((await key.textContent()) ?? '').replaceAll(' ', ''))
    await page
      .getByLabel('Code', { exact: true })
      .fill(new TOTP({ secret }).generate({ timestamp: systemClock.now() + ahead }))
    await page.getByLabel('Your password').fill(OWN)
    let lost = 0
    await page.route('**/v1/auth/2fa/enable', async (route) => {
      lost += 1
      if (lost > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await button('Turn on').click()
    // only the first answer has the codes, which the repeated request gets too
    await page.getByText('No answer came').waitFor()
    await button('Turn on').click()
    await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor()
    await page.goBack()
    await page.getByText('Keep it first').waitFor()
    // the console reads the signed-in user again when its window gets the focus, and then asks for nothing more
    const me = page.waitForResponse('**/v1/auth/me')
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    await me
    await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor()
    await button('I have kept them').click()
    await page.getByRole('heading', { name: 'Clients' }).waitFor()
  })

  test('a third person vouches in the console for an account that a colleague opened', async () => {
    const ctx = systemCtx(app.running.platform, firm.tenantId, 'test')
    const hired = await ctx.write('test.hire', (tx) => {
      const user = tx.insert(users, {
        email: 'bo@signing.test',
        displayName: 'Bo Hired',
        roles: ['manager'],
        status: 'active',
      })
      tx.insert(credentials, { userId: user.id, passwordHash: 'x', totpEnabled: true, totpEnabledAt: tx.now })
      tx.insert(accountActs, { userId: user.id, byUserId: firm.as.owner.id, act: 'invited' })
      return user
    })
    await page.getByRole('link', { name: 'Users' }).first().click()
    await page.getByText('Bo Hired').click()
    await button('Vouch').click()
    const dialog = page.getByRole('dialog', { name: 'Vouch for Bo Hired' })
    await dialog.waitFor()
    await accessible()
    await dialog.getByRole('textbox').fill('I have met her and saw her passport')
    await dialog.getByRole('button', { name: 'Vouch' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { independence } = await (await context.request.get(`${app.base}/v1/users/${hired.id}`)).json()
    expect(independence.alone).toBe(true)
    expect(app.complaints).toEqual([])
  })
})
