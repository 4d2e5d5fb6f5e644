import { expect, test } from 'bun:test'
import { placeIn } from './queue.ts'

const queue = { list: '/deposits?sort=createdAt', hrefs: ['/deposits/a', '/deposits/b', '/deposits/c'], total: null }

test('a record knows its place, its neighbours and its list', () => {
  expect(placeIn(queue, '/deposits/b')).toEqual({
    list: '/deposits?sort=createdAt',
    at: 2,
    of: 3,
    isMore: true,
    previous: '/deposits/a',
    next: '/deposits/c',
  })
  expect(placeIn({ ...queue, total: 24 }, '/deposits/a')).toMatchObject({
    at: 1,
    of: 24,
    isMore: false,
    previous: null,
  })
  expect(placeIn(queue, '/deposits/c')?.next).toBeNull()
})

test('a record that was opened from elsewhere has no place in a list', () => {
  expect(placeIn(queue, '/withdrawals/b')).toBeNull()
  expect(placeIn(null, '/deposits/a')).toBeNull()
})
