import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Caller, type Firm, foundFirm } from '../app.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(120_000)

describe.skipIf(!chromiumPath)('what was sent and not answered, or answered late', () => {
  let app: Console
  let firm: Firm
  let traderId: string

  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'lost')
    traderId = await firm.trader({ firstName: 'Lena', lastName: 'Lost' })
  })
  afterAll(() => app?.close())

  const at = (path: string, as: Caller, act: (page: Page) => Promise<void>) => app.visit(path, { as }, act)
  /** Sends the next change to this path, and drops its answer. */
  const lose = async (page: Page, path: string): Promise<void> => {
    let lost = 0
    await page.route(path, async (route) => {
      if (route.request().method() === 'GET' || lost > 0) return route.fallback()
      lost += 1
      await route.fetch()
      await route.abort()
    })
  }
  /** Sends changes to this path at once, and holds back their answers until `go` is called. */
  const late = async (page: Page, path: string) => {
    const gate = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    await page.route(path, async (route) => {
      if (route.request().method() === 'GET') return route.fallback()
      const response = await route.fetch()
      done.resolve()
      await gate.promise
      await route.fulfill({ response })
    })
    return { done: done.promise, go: gate.resolve }
  }
  const read = async (path: string) => (await app.call('GET', path, { as: firm.as.owner })).body
  const openTicket = async (subject: string): Promise<string> => {
    const body = { traderId, subject, category: 'general', body: 'Where is my money?' }
    const made = await app.call('POST', '/v1/support/tickets', { as: firm.as.operator, body })
    expect(made.status).toBe(201)
    return made.body.id
  }
  const sentWords = async (ticket: string, words: string): Promise<number> =>
    (await read(`/v1/support/tickets/${ticket}`)).messages.filter(({ body }: { body: string }) => body === words).length
  const countNotes = async (words: string): Promise<number> =>
    (await read(`/v1/traders/${traderId}/notes`)).data.filter(({ body }: { body: string }) => body === words).length

  test('a note whose answer was lost is shown at once, and the same text typed later is another note', () =>
    at(`/traders/${traderId}?tab=notes`, firm.as.operator, async (page) => {
      const words = 'Called, nobody answered'
      const field = page.getByLabel('New note')
      await lose(page, '**/v1/traders/*/notes')
      await field.fill(words)
      await button(page, 'Add note').click()
      await page.getByText('No answer came. It may have been done').waitFor()
      await page.locator('.note', { hasText: words }).waitFor()
      await page.getByRole('tab', { name: 'Deposits' }).click()
      await page.getByRole('tab', { name: 'Notes' }).click()
      expect(await field.inputValue()).toBe(words)
      await field.fill('')
      await field.fill(words)
      await button(page, 'Add note').click()
      await page.locator('.note', { hasText: words }).nth(1).waitFor()
      expect(await countNotes(words)).toBe(2)
    }))

  test('a change whose answer was lost causes no conflict when it is sent again', () =>
    at(`/traders/${traderId}`, firm.as.operator, async (page) => {
      await button(page, 'Edit all').click()
      await page.getByRole('dialog').getByLabel('City').fill('Larnaca')
      await lose(page, '**/v1/traders/*')
      await button(page, 'Save').click()
      await page.getByText('No answer came. It may have been done').waitFor()
      await button(page, 'Save').click()
      await page.getByText('Client saved').waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
    }))

  test('settings whose answer was lost are reported as saved, and text typed meanwhile stays', () =>
    at('/settings', firm.as.owner, async (page) => {
      const name = page.getByRole('textbox', { name: 'Firm', exact: true })
      await name.waitFor()
      await lose(page, '**/v1/tenants/current')
      await name.fill('Lost Capital')
      await button(page, 'Save').first().click()
      await page.getByText('Settings saved').waitFor()
      expect(await page.getByRole('alert').filter({ hasText: 'No answer came' }).count()).toBe(0)
      const answer = await late(page, '**/v1/tenants/current')
      await name.fill('First name')
      await button(page, 'Save').first().click()
      await answer.done
      await name.fill('First name and more')
      answer.go()
      await page.getByText('Settings saved').nth(1).waitFor()
      expect(await name.inputValue()).toBe('First name and more')
      await page.getByRole('link', { name: 'Clients' }).click()
      await button(page, 'Keep editing').click()
      await button(page, 'Save').first().click()
      await page.getByText('Settings saved').nth(2).waitFor()
      expect((await read('/v1/tenants/current')).name).toBe('First name and more')
    }))

  test('a reply whose answer was lost is not sent again by another button', async () => {
    const ticket = await openTicket('Lost reply')
    await at(`/support/${ticket}`, firm.as.operator, async (page) => {
      const words = 'It was paid this morning'
      const field = page.locator('form.reply textarea').first()
      await field.waitFor()
      await lose(page, '**/messages')
      // The thread cannot be read at first, so the form must read it again later.
      let unread = true
      await page.route('**/v1/support/tickets/*', (route) => (unread ? route.abort() : route.fallback()))
      await field.fill(words)
      await button(page, 'Reply').click()
      await page.getByText('No answer came. It may have been done').waitFor()
      unread = false
      await button(page, 'Reply and keep open').click()
      await page.getByText(/^(Reply sent|The reply had been sent)/).waitFor()
      expect(await field.inputValue()).toBe('')
      expect(await sentWords(ticket, words)).toBe(1)
      await lose(page, '**/messages')
      await field.fill('And once more')
      await button(page, 'Reply').click()
      await page.getByText('The reply had been sent').last().waitFor()
      expect(await field.inputValue()).toBe('')
      expect(await page.locator('form.reply').getByRole('alert').count()).toBe(0)
    })
  })

  test('a reply that is on its way when the reader leaves becomes a draft only if more was typed', async () => {
    const ticket = await openTicket('Slow reply')
    await at(`/support/${ticket}`, firm.as.operator, async (page) => {
      const field = page.locator('form.reply textarea').first()
      const first = await late(page, '**/messages')
      await field.fill('Left on the way')
      await button(page, 'Reply').click()
      await first.done
      await page.getByRole('link', { name: 'Clients' }).first().click()
      await page.getByRole('heading', { name: 'Clients' }).waitFor()
      first.go()
      await page.getByText('Reply sent').waitFor()
      await page.goBack()
      await field.waitFor()
      expect(await field.inputValue()).toBe('')
      await page.unrouteAll({ behavior: 'wait' })
      const second = await late(page, '**/messages')
      await field.fill('The first of two')
      await button(page, 'Reply').click()
      await second.done
      await field.fill('One more thing')
      second.go()
      await page.locator('.thread .note', { hasText: 'The first of two' }).waitFor()
      expect(await field.inputValue()).toBe('One more thing')
    })
  })

  test('a page that could not be loaded without a network can be loaded again once it is back', () =>
    app.visit('/deposits', { as: firm.as.operator }, async (page) => {
      await page.getByRole('heading', { name: 'Deposits' }).waitFor()
      await page.context().setOffline(true)
      await page.getByRole('link', { name: 'Wallets' }).click()
      await page.getByRole('alert').waitFor()
      // the rest of the console is still there
      expect(await page.getByRole('navigation').count()).toBeGreaterThan(0)
      await page.context().setOffline(false)
      await button(page, 'Try again').click()
      await page.getByRole('heading', { name: 'Wallets', level: 1 }).waitFor()
    }))

  test('the console shows that the server answers again after a change could not be sent', () =>
    app.visit(`/traders/${traderId}?tab=notes`, { as: firm.as.operator }, async (page) => {
      await page.route('**/v1/traders/*/notes', (route) =>
        route.request().method() === 'GET' ? route.fallback() : route.abort(),
      )
      let asked = 0
      await page.route('**/health', (route) => {
        asked += 1
        return asked > 1 ? route.fallback() : route.abort()
      })
      await page.getByLabel('New note').fill('Called again')
      await button(page, 'Add note').click()
      await page.getByText('which does the same values only once').waitFor()
      await page.getByText('The server answers again.').waitFor()
    }))
})
