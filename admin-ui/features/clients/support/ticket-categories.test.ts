import { expect, test } from 'bun:test'
import { categoryChoices, categoryName } from './ticket-categories.ts'

test('a category of the firm’s own is offered beside the known ones, and only then', () => {
  const known = categoryChoices().map(({ value }) => value)
  expect(known).toContain('payments')
  expect(categoryChoices('payments')).toHaveLength(known.length)
  expect(categoryChoices('vip_desk').at(-1)).toEqual({ value: 'vip_desk', label: 'Vip desk' })
  expect(categoryName('constructor')).toBe('Constructor')
})
