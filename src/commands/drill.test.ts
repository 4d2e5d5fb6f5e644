import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { post, walletFor } from '../modules/books/wallets/ledger.service.ts'
import { systemCtx } from '../platform/access/ctx.ts'
import { HOUR, systemClock } from '../platform/clock.ts'
import { foundFirm } from '../testing/app.ts'
import { enginePath, makePlace, type Place } from '../testing/replica.ts'
import { drillNow } from './backup.ts'
import { startServer } from './serve.ts'

setDefaultTimeout(180_000)

describe.skipIf(enginePath === undefined)('drill as a command', () => {
  let place: Place
  beforeEach(() => {
    place = makePlace()
  })
  afterEach(() => place.close())

  test('a drill fails if the replica has not moved for an hour', async () => {
    const config = place.config('a')
    const clock = { ...systemClock, now: () => systemClock.now() - HOUR }
    const begun = await startServer(config, async () => {}, clock)
    await begun.platform.replication?.settled(60_000)
    const firm = await foundFirm(begun.platform, 'first')
    const traderId = await firm.trader({})
    await begun.stop()
    const said: string[] = []
    await drillNow(config, { json: false }, (text) => said.push(text))
    expect(said[0]).toStartWith('replica : good')
    // a start without the settings of the replica
    const alone = await startServer({ ...config, replica: null }, async () => {}, clock)
    const { platform } = alone
    await systemCtx(platform, firm.tenantId, 'test').write('test.money', (tx) => {
      const currency = 'EUR'
      const legs = [
        { account: 'gateway_clearing', currency, amount: -500n },
        { account: 'client_available', wallet: walletFor(tx, traderId, currency), currency, amount: 500n } as const,
      ] as const
      return post(tx, { kind: 'in', reference: 'ref_1', description: 'test', legs: [...legs] })
    })
    await alone.stop()
    const late = drillNow(config, { json: false }, (text) => said.push(text))
    await expect(late).rejects.toThrow('Not every copy is good')
    expect(said[1]).toContain('2 entries of the live books are not in the copy')
  })
})
