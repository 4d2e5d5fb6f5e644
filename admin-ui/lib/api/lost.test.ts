import { expect, test } from 'bun:test'
import { canLeave } from './http.ts'

test.each([
  ['a network', true, 'crm.firm.example', true],
  ['no network', false, 'crm.firm.example', false],
  ['no network, to the machine itself', false, 'localhost', true],
  ['no network, to the machine itself by its number', false, '127.0.0.1', true],
])('with %s a request can leave the browser or not (online %j, host %s): %j', (_, onLine, host, can) => {
  expect(canLeave(onLine, host)).toBe(can)
})
