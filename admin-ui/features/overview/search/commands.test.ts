import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { commandsOf } from './commands.tsx'

const asked: string[] = []
const acts = {
  go: (to: string, search: Record<string, string> = {}) => void asked.push(`${to} ${JSON.stringify(search)}`),
  showKeys: () => void asked.push('keys'),
  toggleScheme: () => void asked.push('scheme'),
  signOut: () => void asked.push('signOut'),
}
const idsOf = (role: Role | null, isView = false) => commandsOf(role, { dark: false, isView }, acts).map(({ id }) => id)

test('each role gets the commands that it may use', () => {
  const everybody = ['keys', 'scheme', 'security', 'explorer', 'sign-out']
  expect(idsOf('viewer')).toEqual(everybody)
  const adds = ['/traders', '/deposits', '/withdrawals', '/support', '/leads'].map((to) => `new ${to}`)
  expect(idsOf('operator')).toEqual([...adds, ...everybody])
  expect(idsOf('admin')).toContain('new /users')
  expect(idsOf('manager')).not.toContain('new /users')
})

test('a user in a view has no command that changes anything or signs out', () => {
  expect(idsOf('owner', true)).toEqual(['keys', 'scheme', 'explorer'])
})

test('a command opens the form on its list', () => {
  for (const command of commandsOf('operator', { dark: true, isView: false }, acts))
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
