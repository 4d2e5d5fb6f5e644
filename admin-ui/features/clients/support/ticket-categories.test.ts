import { expect, test } from 'bun:test'
import { categoryChoices, categoryName } from './ticket-categories.ts'

test('a category of the firm is offered beside the known ones if the ticket has it', () => {
  const known = categoryChoices().map(({ value }) => value)
  expect(known).toContain('payments')
  expect(categoryChoices('payments')).toHaveLength(known.length)
  expect(categoryChoices('vip_desk').at(-1)).toEqual({ value: 'vip_desk', label: 'Vip desk' })
  expect(categoryName('constructor')).toBe('Constructor')
})
