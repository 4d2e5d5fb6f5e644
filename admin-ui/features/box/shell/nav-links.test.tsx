import { expect, test } from 'bun:test'
import { pressButton, renderPage, screen, seen } from '../../../testing/render.tsx'
import { summary } from '../../../testing/samples.ts'
import { NavLinks } from './nav-links.tsx'

const open = (role: 'viewer' | 'operator' | 'admin') =>
  renderPage(<NavLinks role={role} />, {
    role,
    answers: { 'notifications.summary': summary({ pendingDeposits: 16, requestedWithdrawals: 4 }) },
  })

test.each([
  ['viewer', [], ['New deposit', 'New API key', 'Invite a colleague']],
  ['operator', ['New client', 'New deposit', 'New withdrawal', 'New ticket', 'New lead'], ['New API key']],
  ['admin', ['New deposit', 'New API key', 'New webhook', 'Invite a colleague'], []],
] as const)('the side bar offers the role %s only the records that it may create', async (role, may, mayNot) => {
  await open(role)
  await seen('link', /^Deposits/)
  for (const name of may) expect(screen.getByRole('link', { name }).getAttribute('href')).toContain('?new=1')
  for (const name of mayNot) expect(screen.queryByRole('link', { name })).toBeNull()
})

test('a page that the role may not open is not in the side bar', async () => {
  await open('viewer')
  await seen('link', /^Deposits/)
  for (const name of ['Settings', 'API keys', 'Audit']) expect(screen.queryByRole('link', { name })).toBeNull()
})

test('a closed group of the side bar shows how much waits in it, and stays closed', async () => {
  const first = await open('admin')
  await pressButton('Work')
  expect(screen.queryByRole('link', { name: /^Deposits/ })).toBeNull()
  expect((await seen('button', /^Work/)).textContent).toContain('20')
  expect(localStorage.getItem('nav-closed')).toBe('["Work"]')
  await pressButton(/^Work/)
  expect(await seen('link', /^Deposits/)).toBeDefined()
  expect(first.address()).toBe('/')
})
