import { expect, test } from 'bun:test'
import { activePage, toggled } from './nav-state.ts'

test('a record’s page marks its list in the side bar, and the dashboard marks only itself', () => {
  const pages = ['/', '/deposits', '/webhooks', '/web']
  expect(activePage(pages, '/')).toBe('/')
  expect(activePage(pages, '/deposits')).toBe('/deposits')
  expect(activePage(pages, '/webhooks/deliveries/del_1')).toBe('/webhooks')
  expect(activePage(pages, '/security')).toBeNull()
})

test('a press on a group of the side bar closes it, and a second press opens it', () => {
  expect(toggled([], 'Money')).toEqual(['Money'])
  expect(toggled(['Work', 'Money'], 'Work')).toEqual(['Money'])
})
