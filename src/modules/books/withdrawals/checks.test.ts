import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'
import { unList } from '../../../testing/fakes/sanctions-lists.ts'
import { screenTraders } from '../../clients/sanctions/sanctions.jobs.ts'
import { noteClientAct } from '../../firm/independence/independence.service.ts'
import { type ClientAct, SHOWN_ACTS } from '../../firm/independence/independence.table.ts'
import { positions } from '../positions/positions.table.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

const { client, ask, act, hitOn, onHit } = createDesk(() => ({ app, firm }))
type Check = { name: string; state: string; ok: boolean; text: string }
/** Returns one check of a withdrawal; undefined if it has none with this name. */
const readCheck = async (id: string, name: string): Promise<Check | undefined> => {
  const { body } = await app.call('GET', `/v1/withdrawals/${id}`, { as: firm.as.manager })
  return body.review.checks.find((check: Check) => check.name === name)
}
const readCheckState = async (id: string, name: string) => (await readCheck(id, name))?.state
const to = (reference: string, more: object = {}) => ({ destination: { kind: 'bank', reference, ...more } })
const requested = async (traderId: string, amount = '5', extra: object = {}, as?: Caller): Promise<string> =>
  (await ask(traderId, amount, as, extra)).body.id
/** Credits 200 EUR that the client did not pay in. */
const credit = async (traderId: string): Promise<void> => {
  const body = { traderId, currency: 'EUR', amount: '200', direction: 'credit', reason: 'bonus' }
  const asked = await app.call('POST', '/v1/adjustments', { as: firm.as.manager, body })
  const path = `/v1/adjustments/${asked.body.id}/approve`
  expect((await app.call('POST', path, { as: firm.as.admin, body: { note: 'looked' } })).status).toBe(200)
}
const paid = async (id: string): Promise<void> => {
  await act(id, 'approve', firm.as.manager)
  expect((await act(id, 'pay', firm.as.manager, { paymentReference: id })).status).toBe(200)
}

describe('money', () => {
  test('a withdrawal above all deposits less all payments needs a closer look; up to that it is fine', async () => {
    const traderId = await client('100')
    await paid(await requested(traderId, '40'))
    const [most, beyond] = [await requested(traderId, '59.99'), await requested(traderId, '0.01')]
    expect([await readCheckState(most, 'net_deposits'), await readCheckState(beyond, 'net_deposits')]).toEqual([
      'fine',
      'fine',
    ])
    await credit(traderId)
    const all = await requested(traderId, '60')
    const more = await requested(traderId, '60.01')
    expect([await readCheckState(all, 'net_deposits'), await readCheckState(more, 'net_deposits')]).toEqual([
      'fine',
      'look_closer',
    ])
  })

  test('the first withdrawal in a currency is shown as such; the second one’s check counts it', async () => {
    const traderId = await client()
    const id = await requested(traderId)
    expect(await readCheck(id, 'first_withdrawal')).toMatchObject({ ok: false, text: expect.stringContaining('first') })
    await paid(id)
    expect(await readCheck(await requested(traderId), 'first_withdrawal')).toMatchObject({
      ok: true,
      text: expect.stringContaining('1'),
    })
  })

  test('the trading check is not made before a platform reports positions, and is met by the client’s first position', async () => {
    const traderId = await client()
    const id = await requested(traderId)
    const trading = async () => {
      const { state, ok, text } = (await readCheck(id, 'trading')) ?? {}
      return [state, ok, text]
    }
    const report = (of: string) =>
      systemCtx(app.platform, firm.tenantId, 'test').write('test.position', (tx) =>
        tx.insert(positions, {
          platform: 'terminal5',
          server: 's',
          ticket: of,
          accountNumber: '1',
          symbol: 'EURUSD',
          side: 'long',
          volume: 1n,
          openedVolume: 1n,
          openPrice: '1',
          currentPrice: '1',
          profit: 0n,
          currency: 'EUR',
          openedAt: tx.now,
          traderId: of,
        }),
      )
    expect(await trading()).toEqual(['not_checked', false, 'No trading platform reports positions here'])
    await report(await firm.trader())
    expect(await trading()).toEqual(['fine', false, 'No position was ever reported'])
    await report(traderId)
    expect(await trading()).toMatchObject(['fine', true, expect.any(String)])
  })

  test('the check of net deposits names where the money came from, if it came from anywhere', async () => {
    expect((await readCheck(await requested(await client('7')), 'net_deposits'))?.text).toContain('(bank 7.00)')
    const gifted = await firm.trader({ kycLevel: 2 })
    await credit(gifted)
    expect((await readCheck(await requested(gifted), 'net_deposits'))?.text).not.toContain('(')
  })
})

test('a single match with a sanctions list blocks the money and is counted', async () => {
  const traderId = await client()
  const id = await requested(traderId)
  await hitOn(traderId)
  expect(await readCheck(id, 'sanctions')).toMatchObject({ state: 'blocks', text: '1 open or confirmed' })
})

describe('a destination', () => {
  test('a destination that another client has too needs a closer look', async () => {
    const alone = await requested(await client(), '5', to('SHARED 77'))
    expect(await readCheck(alone, 'destination')).toMatchObject({ state: 'fine', ok: true })
    await requested(await client(), '5', to('SHARED 77'))
    expect(await readCheck(alone, 'destination')).toMatchObject({ state: 'look_closer', ok: false })
    expect((await readCheck(alone, 'destination'))?.text).toContain('1')
  })

  test.each([
    ['bank', 'GB29NWBK60161331926819', 'IBAN GB29 NWBK 6016 1331 9268 19'],
    ['bank', 'DE89370400440532013000', 'DE89 3704 0044 0532 0130 00 (Revolut)'],
    ['bank', 'CY17002001280000001200527600', 'CY17 0020 0128 \u200b0000 0012 0052 7600'],
    ['bank', 'IBAN 4711', '4711'],
    [
      'crypto',
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=1',
    ],
    ['crypto', '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', '0x71C7656EC7ab88b098def\u200bB751B7401B5f6d8976F'],
  ])('a destination by %s to %s is shared with a client who wrote %s', async (kind, reference, written) => {
    const destination = (one: string) => ({ destination: { kind, holder: 'Anna Mayer', reference: one } })
    const first = await requested(await client(), '5', destination(reference))
    await requested(await client(), '5', destination(written))
    expect((await readCheck(first, 'destination'))?.state).toBe('look_closer')
  })

  const bank = (reference: string) => ({ destination: { kind: 'bank', holder: 'Anna Mayer', reference } })
  const refusal = async (traderId: string, destination: object) => {
    const { status, body } = await ask(traderId, '5', undefined, destination)
    return [status, body.errors?.[0]?.path]
  }

  test('a destination with two account numbers is refused: the second would be paid, but only the first checked', async () => {
    const two = 'GB29NWBK60161331926819 or DE89370400440532013000'
    expect(await refusal(await client(), bank(two))).toEqual([422, 'destination.reference'])
    expect(await refusal(await client(), bank('GB29NWBK60161331926819 (GB29 NWBK 6016 1331 9268 19)'))).toEqual([
      201,
      undefined,
    ])
  })

  test('other words beside a known account number are refused and do not replace the stored ones', async () => {
    const traderId = await client()
    await requested(traderId, '5', bank('IBAN DE89 3704 0044 0532 0130 00 sub-account 1'))
    expect(await refusal(traderId, bank('DE89370400440532013000 sub-account 2'))).toEqual([
      422,
      'destination.reference',
    ])
    expect(await refusal(traderId, bank('DE89370400440532013000, SUB-ACCOUNT 1'))).toEqual([201, undefined])
  })

  test.each([
    ['wallet', 'skrill:anna@x.test', 'neteller:anna@x.test'],
    ['wallet', 'anna?1', 'anna?2'],
    ['crypto', 'ethereum:0x71C7656EC7ab88b098defB751B7401B5f6d8976F', 'bsc:0x71C7656EC7ab88b098defB751B7401B5f6d8976F'],
  ])('a destination by %s to %s is not the same as to %s', async (kind, first, second) => {
    const traderId = await client()
    const destination = (reference: string) => ({ destination: { kind, holder: 'Anna Mayer', reference } })
    const kept = async (reference: string) =>
      (await ask(traderId, '5', undefined, destination(reference))).body.destinationId
    expect(await kept(first)).not.toBe(await kept(second))
    expect(await kept(first)).toBe(await kept(first))
  })

  test('a destination’s check shows its author and its age, in begun hours and then in days', async () => {
    const traderId = await client()
    const id = await requested(traderId)
    const textAfter = async (ms: number): Promise<string> => {
      app.clock.advance(ms)
      return (await readCheck(id, 'destination_age'))?.text ?? ''
    }
    const texts = [await textAfter(HOUR - 1), await textAfter(1), await textAfter(23 * HOUR - 1), await textAfter(1)]
    texts.push(await textAfter(2 * DAY - 1))
    expect(texts.map((text) => /less than an hour|\d+ (hour|day)s?/.exec(text)?.[0])).toEqual([
      'less than an hour',
      '1 hour',
      '23 hours',
      '1 day',
      '2 days',
    ])
    for (const text of texts) expect(text).toContain('operator of alpha')
    const session = await firm.traderSession(traderId)
    const theirs = await requested(traderId, '5', { traderId: undefined }, session)
    expect((await readCheck(theirs, 'destination_age'))?.text).toContain('client')
  })

  test('a new destination needs a closer look until it is a day old, if money went elsewhere before', async () => {
    const traderId = await client()
    const first = await requested(traderId)
    expect(await readCheckState(first, 'destination_age')).toBe('fine')
    await paid(first)
    const second = await requested(traderId)
    app.clock.advance(DAY - 1)
    expect(await readCheckState(second, 'destination_age')).toBe('look_closer')
    app.clock.advance(1)
    expect(await readCheckState(second, 'destination_age')).toBe('fine')
  })

  test.each([
    ['Anna Mayer', 'Anna Meier', 'fine'],
    ['Catherine Lee', 'Katharina Lee', 'fine'],
    ['محمد علي', 'Mohamed Ali', 'fine'],
    ['김정은', 'Jong-Un Kim', 'fine'],
    ['محمد علي', 'Mohamed Omar', 'look_closer'],
    ['Anna Peterson', 'Anna Petrov', 'look_closer'],
    ['Anna Maria Mayer', 'Anna Mayer', 'fine'],
    ['Mayer', 'Anna Mayer', 'look_closer'],
    ['Anna Anna', 'Anna Mayer', 'look_closer'],
    ['Anna Mayer', '', 'not_checked'],
  ])('a destination of holder %p for a client called %p is %s', async (holder, name, state) => {
    const traderId = await client()
    const [firstName = '', lastName = ''] = name.split(' ')
    const sql = 'UPDATE traders SET first_name = ?2, last_name = ?3 WHERE id = ?1'
    await app.platform.writer.submit(() => app.platform.connection.run(sql, [traderId, firstName, lastName]))
    expect(await readCheckState(await requested(traderId, '5', to(`HOLDER ${traderId}`, { holder })), 'holder')).toBe(
      state,
    )
  })

  test.each([
    ['CY21002001950000357001234567', 'CY', 'fine'],
    ['CY21002001950000357001234567', null, 'fine'],
    ['CY21002001950000357001234567', 'GR', 'look_closer'],
    ['CY22002001950000357001234567', 'CY', 'look_closer'],
    ['ACCOUNT 1', 'CY', 'not_checked'],
  ])('a destination with bank account %p for a client of %p is %s', async (reference, country, state) => {
    const traderId = await client()
    const sql = 'UPDATE traders SET country = ?2 WHERE id = ?1'
    await app.platform.writer.submit(() => app.platform.connection.run(sql, [traderId, country]))
    expect(await readCheckState(await requested(traderId, '5', to(reference)), 'iban')).toBe(state)
  })

  test('the countries of the bank and of the client are named in the language of the reader', async () => {
    const traderId = await client()
    const sql = 'UPDATE traders SET country = ?2 WHERE id = ?1'
    await app.platform.writer.submit(() => app.platform.connection.run(sql, [traderId, 'DE']))
    const id = await requested(traderId, '5', to('CY21002001950000357001234567'))
    const headers = { 'accept-language': 'de' }
    const { body } = await app.call('GET', `/v1/withdrawals/${id}`, { as: firm.as.manager, headers })
    expect(body.review.checks.find((check: Check) => check.name === 'iban').text).toBe(
      'Das Land der Bank ist Zypern, das des Kunden Deutschland',
    )
  })

  test('a destination that is a crypto wallet needs no IBAN', async () => {
    const extra = { destination: { kind: 'crypto', reference: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' } }
    expect(await readCheck(await requested(await client(), '5', extra), 'iban')).toBeUndefined()
  })
})

describe('the access check', () => {
  const note = (traderId: string, userId: string, what: ClientAct) =>
    systemCtx(app.platform, firm.tenantId, 'test').write('test.act', (tx) => noteClientAct(tx, userId, traderId, what))

  test('the access check shows a colleague’s act at a client for 30 days, with its day', async () => {
    const traderId = await client()
    const id = await requested(traderId)
    expect(await readCheckState(id, 'access')).toBe('fine')
    await note(traderId, firm.as.operator.id, 'linked_account')
    const day = new Date(app.clock.now()).toISOString().slice(0, 10)
    app.clock.advance(30 * DAY - 1)
    const { state, text } = (await readCheck(id, 'access')) ?? {}
    expect([state, text]).toEqual(['look_closer', expect.stringContaining(`${day}`)])
    app.clock.advance(1)
    expect(await readCheckState(id, 'access')).toBe('fine')
  })

  test('the access check lists ten acts, and only counts an eleventh', async () => {
    const traderId = await client()
    const id = await requested(traderId)
    const acts = Object.values(firm.as).flatMap((who) => SHOWN_ACTS.slice(0, 2).map((what) => [who.id, what] as const))
    const readAccessTexts = async () => ((await readCheck(id, 'access'))?.text ?? '').split('; ')
    for (const [who, what] of acts.slice(0, 10)) await note(traderId, who, what)
    const ten = await readAccessTexts()
    expect([ten.length, ten.at(-1)]).toEqual([10, expect.stringContaining('of alpha')])
    for (const [who, what] of acts.slice(10, 11)) await note(traderId, who, what)
    const eleven = await readAccessTexts()
    expect([eleven.length, eleven.at(-1)]).toEqual([11, expect.stringContaining('1 more')])
  })
})

// these tests are last, since money of new clients waits for the screening once this list is loaded
describe('the sanctions check', () => {
  test('the sanctions check uses a list for 30 days after its loading, and not longer', async () => {
    const traderId = await client()
    const id = await requested(traderId)
    expect(await readCheck(id, 'sanctions')).toMatchObject({
      state: 'not_checked',
      text: expect.stringContaining('No'),
    })
    const body = { source: 'un', version: '1', content: unList('Yusuf Omar') }
    await app.call('POST', '/v1/sanctions/lists', { as: firm.as.admin, body })
    expect((await readCheck(id, 'sanctions'))?.state).toBe('blocks')
    await screenTraders.run({ platform: app.platform, signal: new AbortController().signal })
    const hit = await hitOn(traderId)
    expect(await readCheck(id, 'sanctions')).toMatchObject({ state: 'blocks', text: expect.stringContaining('1') })
    await onHit(firm.as.manager, hit, 'clear')
    app.clock.advance(30 * DAY)
    expect(await readCheckState(id, 'sanctions')).toBe('fine')
    app.clock.advance(1)
    expect(await readCheckState(id, 'sanctions')).toBe('not_checked')
  })
})
