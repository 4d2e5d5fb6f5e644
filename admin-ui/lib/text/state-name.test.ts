import { expect, test } from 'bun:test'
import { stateName } from './state-name.ts'

test('a state has its name for people, and one that is not known is shown in plain letters', () => {
  expect(['partially_settled', 'low', 'invented_by_a_program'].map(stateName)).toEqual([
    'Settled in part',
    'Low',
    'Invented by a program',
  ])
})
