import { expect, test } from 'bun:test'
import { activePage, toggled } from './nav-state.ts'

test('a record belongs to the page of its list, the dashboard to itself alone', () => {
  const pages = ['/', '/deposits', '/webhooks', '/web']
  expect(activePage(pages, '/')).toBe('/')
  expect(activePage(pages, '/deposits')).toBe('/deposits')
  expect(activePage(pages, '/webhooks/deliveries/del_1')).toBe('/webhooks')
  expect(activePage(pages, '/security')).toBeNull()
})

test('a group that is pressed closes, and opens again', () => {
  expect(toggled([], 'Money')).toEqual(['Money'])
  expect(toggled(['Work', 'Money'], 'Work')).toEqual(['Money'])
})
