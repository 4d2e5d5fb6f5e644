import { expect, test } from 'bun:test'
import { choices } from './choices.ts'

test('the values of an enum become options, named by themselves or by a record of names', () => {
  expect(choices({ a: 'One', b: { label: 'Two' } })).toEqual([
    { value: 'a', label: 'One' },
    { value: 'b', label: 'Two' },
  ])
})
