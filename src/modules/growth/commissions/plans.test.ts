import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk } from '../../../testing/broker-desk.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
beforeAll(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
})
afterAll(() => desk.close())

const share = (rate: string) => ({ model: 'spread', symbols: ['*'], rate })
let serial = 0
/** Creates a plan with these terms; returns the status and, if refused, the field. */
async function make(terms: object): Promise<(number | string)[]> {
  serial += 1
  const usual = { currency: 'EUR', override: 'difference', maxLevels: 2, cap: '1', rules: [lot('1')] }
  const body = { name: `Terms ${serial}`, ...usual, ...terms }
  const answer = await app.call('POST', '/v1/commission-plans', { as: firm.as.admin, body })
  return answer.status === 201 ? [201] : [answer.status, answer.body.errors[0].path]
}

test.each([
  ['a whole share', { rules: [share('1')] }, [201]],
  ['more than the whole', { rules: [share('1.01')] }, [422, 'rules.0.rate']],
  ['an amount of fractions of a cent', { rules: [lot('1.005')] }, [422, 'rules.0.rate']],
  [
    'symbols as platforms have them',
    { rules: [{ ...lot('1'), symbols: ['@ES', '日経*', 'EURUSD.£', 'US 500'] }] },
    [201],
  ],
  ['a symbol that ends in a blank', { rules: [{ ...lot('1'), symbols: ['EURUSD '] }] }, [422, 'rules.0.symbols.0']],
  ['an unknown currency', { currency: 'XXX' }, [422, 'currency']],
  ['from a moment that is over', { validFrom: '2020-01-01T00:00:00Z' }, [422, 'validFrom']],
  ['a cap of more than the whole', { cap: '1.2' }, [422, 'cap']],
  ['fixed shares without splits', { override: 'split' }, [422, 'splits']],
  ['all to one level', { override: 'split', splits: ['1'] }, [201]],
  ['a name that is taken', { name: 'Terms 1' }, [409, 'name']],
  ['as many splits as levels, the whole together', { override: 'split', splits: ['0.6', '0.4'] }, [201]],
  ['a split more', { override: 'split', splits: ['0.6', '0.3', '0.1'] }, [422, 'splits']],
  ['splits of more than the whole', { override: 'split', splits: ['0.6', '0.41'] }, [422, 'splits']],
  ['one level', { maxLevels: 1 }, [201]],
  ['no level', { maxLevels: 0 }, [422, 'maxLevels']],
  ['ten levels', { maxLevels: 10 }, [201]],
  ['eleven levels', { maxLevels: 11 }, [422, 'maxLevels']],
  ['an acquisition of more than a whole', { rules: [{ ...lot('200'), model: 'cpa', minLots: '1.5' }] }, [201]],
  ['an acquisition by fractions of a cent', { rules: [{ ...lot('2.005'), model: 'cpa' }] }, [422, 'rules.0.rate']],
  ['least lots for lots', { rules: [{ ...lot('1'), minLots: '2' }] }, [422, 'rules.0.minLots']],
  ['a least deposit for lots', { rules: [{ ...lot('1'), minDeposit: '5.00' }] }, [422, 'rules.0.minDeposit']],
])('the terms of a plan are accepted or refused by field: %s', async (_, terms, answer) => {
  expect(await make(terms)).toEqual(answer)
})

test('a plan keeps its rules, and a new name adds no version', async () => {
  const rule = { model: 'cpa', symbols: ['*'], rate: '1', minDeposit: '2.50', minLots: '3' }
  const rules = [{ ...rule, from: '2026-01-01T00:00:00Z' }, rule, lot('1')]
  const id = await desk.plan(rules)
  const { name, version, versions } = await desk.patch(`/v1/commission-plans/${id}`, { name: ' Renamed ' })
  expect([name, version, versions.length, versions[0].number]).toEqual(['Renamed', 2, 1, 1])
  expect(versions[0].rules).toEqual(rules)
  const changed = await desk.patch(`/v1/commission-plans/${id}`, { cap: '0.5' })
  expect(changed.versions.map(({ number }: { number: number }) => number)).toEqual([2, 1])
  expect(changed).toMatchObject({ name: 'Renamed', versions: [{ cap: '0.5', rules }, { cap: '1' }] })
  // even at the same moment the change adds a new version
  expect(changed.version).toBe(3)
})

test('a plan shows its newest 50 versions', async () => {
  const id = await desk.plan([lot('1')])
  for (let n = 2; n <= 51; n += 1) await desk.patch(`/v1/commission-plans/${id}`, { rules: [lot(String(n))] })
  const { data } = (await app.call('GET', '/v1/commission-plans?limit=200', { as: firm.as.admin })).body
  const { versions } = data.find((plan: { id: string }) => plan.id === id)
  expect([versions.length, versions[0].number, versions.at(-1).number]).toEqual([50, 51, 2])
})
