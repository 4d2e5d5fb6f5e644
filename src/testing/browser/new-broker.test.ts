import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { tellTerminalDays } from '../../modules/terminals/days/days.jobs.ts'
import { ACTS } from '../../modules/terminals/simulator/simulator.acts.ts'
import { MANAGER_LOGIN, MANAGER_PASSWORD } from '../../modules/terminals/simulator/simulator.defaults.ts'
import { createSimulator, type Simulator } from '../../modules/terminals/simulator/simulator.ts'
import { systemEnvironment } from '../../modules/terminals/terminal5/terminal5.environment.ts'
import { createTerminal5 } from '../../modules/terminals/terminal5/terminal5.ts'
import { DAY, HOUR, MINUTE, SECOND, systemClock } from '../../platform/clock.ts'
import { type Caller, type Firm, foundFirm } from '../app.ts'
import { type FakeSmtp, startFakeSmtp } from '../fakes/smtp.ts'
import { testDrivers } from '../terminals-here.ts'
import { makeLogin } from '../trading-server.ts'
import { until } from '../until.ts'
import { type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(240_000)

/** A person at the console, whose clicks and fields are counted. */
class Person {
  constructor(
    readonly page: Page,
    private readonly count: () => void,
  ) {}
  async click(target: Locator): Promise<void> {
    await target.click()
    this.count()
  }
  async fill(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).and(this.page.locator('input, textarea')).fill(text)
    this.count()
  }
  press(name: string | RegExp): Promise<void> {
    return this.click(this.page.getByRole('button', { name, exact: true }).last())
  }
  /** Presses the button of a dialog, where the page behind it has one of the same name. */
  answer(name: string): Promise<void> {
    return this.click(this.page.getByRole('dialog').getByRole('button', { name, exact: true }).last())
  }
  async choose(label: string, option: string | RegExp): Promise<void> {
    await this.click(this.page.getByLabel(label, { exact: true }).and(this.page.locator('input')))
    await this.click(this.page.getByRole('option', { name: option, exact: true }))
  }
  async act(name: string): Promise<void> {
    await this.press('Actions')
    await this.click(this.page.getByRole('menuitem', { name, exact: true }))
  }
  nav(name: string): Promise<void> {
    return this.click(this.page.locator('.nav-link', { hasText: name }))
  }
  tab(name: string): Promise<void> {
    return this.click(this.page.getByRole('tab', { name: new RegExp(`^${name}`) }))
  }
  row(text: string | RegExp): Promise<void> {
    return this.click(this.page.getByRole('row', { name: text }).first())
  }
  see(text: string | RegExp): Promise<void> {
    return this.page.getByText(text).first().waitFor()
  }
}

describe.skipIf(!chromiumPath)('a new broker', () => {
  let app: Console
  let firm: Firm
  let mail: FakeSmtp
  let simulator: Simulator
  let listening: Awaited<ReturnType<Simulator['listen']>>
  let acts = 0
  // the day of the firm ends within an hour
  let ahead = DAY - HOUR - (systemClock.now() % DAY)
  const faults: string[] = []
  const clock = { ...systemClock, now: () => systemClock.now() + ahead }

  beforeAll(async () => {
    mail = await startFakeSmtp()
    simulator = createSimulator({ time: clock, seed: 7 })
    listening = await simulator.listen({ port: 0, names: ['localhost'] })
    testDrivers.set('terminal5', createTerminal5({ ...systemEnvironment, now: clock.now }))
    app = await startConsole(clock, {
      BROKERBASE_SMTP_HOST: mail.host,
      BROKERBASE_SMTP_PORT: String(mail.port),
      BROKERBASE_SMTP_TLS: 'off',
      BROKERBASE_SESSION_HOURS: '720',
    })
    firm = await foundFirm(app.running.platform, 'broker')
  })
  afterAll(async () => {
    await app?.close()
    testDrivers.delete('terminal5')
    await listening?.stop()
    await mail?.stop()
  })

  /** Lets somebody act on a page of the console, and looks at where they end up, as on a phone. */
  const at = <T>(path: string, as: Caller | undefined, act: (person: Person) => Promise<T>): Promise<T> =>
    app.visit(path, as ? { as } : {}, async (page) => {
      const made = await act(new Person(page, () => (acts += 1)))
      await page.setViewportSize({ width: 390, height: 900 })
      await app.loaded(page)
      faults.push(...(await app.faultsByScheme(page)).map((fault) => `${path}: ${fault}`))
      return made
    })

  /** Waits for what comes by itself, while the time goes faster. */
  const wait = (what: string, holds: () => Promise<boolean> | boolean): Promise<void> =>
    until(what, () => {
      ahead += SECOND / 4
      return holds()
    })

  test('connects a trading server, brings clients in, moves money and explains a day in at most 90 clicks and fields', async () => {
    const ada = makeLogin(simulator.engine, { name: 'Ada Abel', email: 'ada@client.test', country: 'Austria' })
    const bob = makeLogin(simulator.engine, { name: 'Bob Bauer', email: 'bob@client.test', country: 'Germany' })
    const fingerprint = new X509Certificate(listening.identity.cert).fingerprint256
    const { owner, admin, manager, operator } = firm.as
    const ask = async (path: string): Promise<Record<string, string>[]> => (await app.ask('GET', path, admin)).data

    /** Waits until these balances are read, which happens once a minute. */
    const seeBalances = async (...wanted: string[]): Promise<void> => {
      await wait(`balances of ${wanted}`, async () => {
        const logins = await ask('/v1/platforms/logins')
        return wanted.every((one) => logins.some(({ balance }) => balance === one))
      })
    }

    const server = await at('/', owner, async (person) => {
      await person.nav('Trading servers')
      await person.press('New connection')
      await person.fill('Name', 'Live')
      await person.fill('Server', 'Sim-Live')
      await person.fill('Address of the access server', `https://localhost:${listening.port}`)
      await person.choose('Trust', 'Pinned certificate')
      await person.fill('Fingerprint of the certificate (SHA-256)', fingerprint)
      await person.fill('Login of the manager account', String(MANAGER_LOGIN))
      await person.fill('API password', MANAGER_PASSWORD)
      await person.fill('Mask 1', 'real\\*')
      await person.press('Add connection')
      await person.see('Waits for a second person')
      await person.press('Test')
      await person.see('All is well.')
      const shown = await person.page.getByRole('dialog').locator('code.fingerprint').textContent()
      expect(shown?.replaceAll(/\s/g, '')).toBe(fingerprint)
      await person.press('Close')
      return new URL(person.page.url()).pathname.replace('/admin', '')
    })

    const confirm = (waiting: string) =>
      at('/', admin, async (person) => {
        await person.nav('Trading servers')
        await person.row(/Live/)
        await person.see(waiting)
        await person.press('Confirm')
        await person.answer('Confirm')
        await person.see('Confirmed. The settings are in force.')
      })
    await confirm('The last test was shown this certificate.')
    await wait('both logins are read', async () => (await ask('/v1/platforms/logins')).length === 2)

    await at(server, owner, async (person) => {
      await person.act('Bring clients in')
      await person.see('2 logins come in.')
      await person.press('Bring in')
      await person.page.waitForURL('**/traders/import/*')
      await person.see('Imported')
    })
    await wait('both accounts are there', async () => (await ask('/v1/accounts')).length === 2)

    await at(server, owner, async (person) => {
      await person.act('Change settings')
      await person.click(person.page.getByRole('switch', { name: 'Money may be booked at this server' }))
      await person.press('Enter')
      await person.see('Entered. Another admin or owner confirms it.')
    })
    await confirm('Waits for a second person')

    await at('/traders', manager, async (person) => {
      await person.row(/Ada Abel/)
      await person.tab('Instructions')
      await person.press('Open account at a server')
      await person.choose('Group', 'real\\hedging-usd')
      await person.press('Open account')
      await person.see('Asked of the trading server.')
    })
    const findLink = () =>
      /admin(\/account-passwords\S+)/.exec(mail.mails.find(({ to }) => to[0] === 'ada@client.test')?.text ?? '')?.[1]
    await wait('the mail', () => findLink() !== undefined)
    await at(findLink() ?? '', undefined, async (person) => {
      await person.press('Show now')
      await person.see('Main password')
      await person.see('Investor password')
    })

    const account = (await ask('/v1/accounts')).find(({ accountNumber }) => accountNumber === String(ada.login))
    const deposit = { traderId: account?.traderId, currency: 'USD', amount: '500', method: 'bank' }
    const { id } = await app.ask('POST', '/v1/deposits', owner, deposit)
    await app.ask('POST', `/v1/deposits/${id}/settle`, admin)
    const isBooked = async (count: number) =>
      (await ask('/v1/platforms/instructions?kind=balance&state=done')).length === count
    await at(`/accounts/${account?.id}`, operator, async (person) => {
      await person.press('Move money here')
      await person.choose('From', /available/)
      await person.fill('Amount', '200')
      await person.press('Transfer')
      await wait('the first transfer', () => isBooked(1))
    })
    await seeBalances('0.00', '200.00')
    await at(`/accounts/${account?.id}`, admin, async (person) => {
      await person.act('Take money out')
      await person.choose('To', /available|USD/)
      await person.fill('Amount', '50')
      await person.press('Transfer')
      await wait('the transfer back', () => isBooked(2))
    })

    ACTS.manualDeposit(simulator.engine, { login: bob.login, amount: '75', comment: 'cash' })
    await wait('the finding', async () => (await ask('/v1/platforms/findings?state=open')).length === 1)
    await at('/', admin, async (person) => {
      await person.click(person.page.getByRole('link', { name: /Finding of a trading server to explain/ }))
      await person.row(/Unknown movement/)
      await person.press('Close as explained')
      await person.fill('Reason', 'A dealer took cash')
      await person.press('Close as explained')
      await wait('the closed finding', async () => (await ask('/v1/platforms/findings?state=open')).length === 0)
    })

    await seeBalances('75.00', '150.00')
    ahead += Math.ceil(clock.now() / DAY) * DAY + 11 * MINUTE - clock.now()
    await wait('the day that ended', async () => {
      await tellTerminalDays.run({ platform: app.running.platform, signal: new AbortController().signal })
      return (await ask('/v1/platforms/days')).some(({ transfersIn }) => transfersIn === '200.00')
    })
    await at('/', owner, async (person) => {
      await person.nav('Trading servers')
      await person.row(/Live/)
      await person.tab('Days')
      const day = person.page.getByRole('row', { name: /Explained/ })
      await day.waitFor()
      const cells = await day.getByRole('cell').allTextContents()
      expect(cells.slice(2, 6)).toEqual(['225.00 USD', '225.00 USD', '200.00 USD', '50.00 USD'])
    })
    expect(faults).toEqual([])
    expect(app.complaints).toEqual([])
    expect(acts).toBeLessThanOrEqual(90)
  })
})
