import { expect, test } from 'bun:test'
import { choices } from './choices.ts'

test('the words of an enum are options, by their text or that of their record', () => {
  expect(choices({ a: 'One', b: { label: 'Two' } })).toEqual([
    { value: 'a', label: 'One' },
    { value: 'b', label: 'Two' },
  ])
})
