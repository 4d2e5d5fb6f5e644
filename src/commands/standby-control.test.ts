import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openControl, orderTakeover } from './standby-control.ts'
import { standbyDirectory } from './standby-directory.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-control-'))
  mkdirSync(standbyDirectory(dataDir), { recursive: true })
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))
const nobodyAsks = () => {
  throw new Error('nobody asks')
}

test('all who ordered a takeover hear why it failed, and only then the control is closed', async () => {
  const events: string[] = []
  const heard = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const control = openControl(
    dataDir,
    async (_isOff, tell) => {
      tell('a step')
      await heard.promise
      void control.close().then(() => {
        events.push('closed')
        closed.resolve()
      })
      throw new Error('the port is in use')
    },
    nobodyAsks,
  )
  const order = async (name: string): Promise<void> => {
    const hear = (step: string): void => {
      events.push(`${name}: ${step}`)
      if (events.length === 2) heard.resolve()
    }
    await orderTakeover(dataDir, false, hear).catch(({ message }: Error) => events.push(`${name}: ${message}`))
  }
  await Promise.all([order('one'), order('two'), closed.promise])
  expect(events.slice(0, 2).toSorted()).toEqual(['one: a step', 'two: a step'])
  expect(events.slice(2, 4).toSorted()).toEqual(['one: the port is in use', 'two: the port is in use'])
  expect(events[4]).toBe('closed')
})
