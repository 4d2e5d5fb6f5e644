import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { listCommands } from './commands.tsx'

const asked: string[] = []
const acts = {
  go: (to: string, search: Record<string, string> = {}) => void asked.push(`${to} ${JSON.stringify(search)}`),
  showKeys: () => void asked.push('keys'),
  toggleScheme: () => void asked.push('scheme'),
  signOut: () => void asked.push('signOut'),
}
const listIds = (role: Role | null, isView = false) =>
  listCommands(role, { dark: false, isView }, acts).map(({ id }) => id)

test('the palette has for each role the commands that the role may use', () => {
  const everybody = ['keys', 'scheme', 'security', 'explorer', 'sign-out']
  expect(listIds('viewer')).toEqual(everybody)
  const adds = ['/traders', '/deposits', '/withdrawals', '/support', '/leads'].map((to) => `new ${to}`)
  expect(listIds('operator')).toEqual([...adds, ...everybody])
  expect(listIds('admin')).toContain('new /users')
  expect(listIds('manager')).not.toContain('new /users')
})

test('a user in a view has no command that changes anything or signs out', () => {
  expect(listIds('owner', true)).toEqual(['keys', 'scheme', 'explorer'])
})

test('a command opens the form on its list', () => {
  for (const command of listCommands('operator', { dark: true, isView: false }, acts))
    if (command.id !== 'explorer') command.run()
  expect(asked).toEqual([
    '/traders {"new":"1"}',
    '/deposits {"new":"1"}',
    '/withdrawals {"new":"1"}',
    '/support {"new":"1"}',
    '/leads {"new":"1"}',
    'keys',
    'scheme',
    '/security {}',
    'signOut',
  ])
})
