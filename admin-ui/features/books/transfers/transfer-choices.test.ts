import { expect, test } from 'bun:test'
import { transferChoices } from './transfer-choices.ts'
import type { End } from './transfer-ends.ts'

const end = (kind: End['kind'], id: string): End => ({ value: `${kind}:${id}`, kind, id, currency: 'EUR', label: id })
const own = [end('wallet', 'w1'), end('wallet', 'w2'), end('account', 'a1')]
const others = [end('wallet', 'w9')]
const values = (ends: readonly End[]): string[] => ends.map(({ value }) => value)

test('the targets of a transfer are all wallets and accounts of the client except its source', () => {
  const picked = { from: 'wallet:w1', to: 'account:a1', elsewhere: false }
  const { targets, source, target } = transferChoices(picked, { own, others, manager: false })
  expect(values(targets)).toEqual(['wallet:w2', 'account:a1'])
  expect([source?.id, target?.id]).toEqual(['w1', 'a1'])
})

test('only a manager transfers money out of an account, and only into a wallet', () => {
  const picked = { from: 'account:a1', to: '', elsewhere: false }
  expect(transferChoices(picked, { own, others, manager: false }).source).toBeUndefined()
  const { source, targets } = transferChoices(picked, { own, others, manager: true })
  expect(source?.id).toBe('a1')
  expect(values(targets)).toEqual(['wallet:w1', 'wallet:w2'])
})

test('a choice that is no longer among the options is dropped', () => {
  const offered = { own, others, manager: true }
  // These choices were made before "To another client" or for another client, or they name the same end twice.
  expect(transferChoices({ from: 'wallet:w1', to: 'wallet:w2', elsewhere: true }, offered).target).toBeUndefined()
  expect(transferChoices({ from: 'wallet:w7', to: 'wallet:w1', elsewhere: false }, offered).source).toBeUndefined()
  expect(transferChoices({ from: 'wallet:w1', to: 'wallet:w1', elsewhere: false }, offered).target).toBeUndefined()
})
