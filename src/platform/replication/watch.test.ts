import { beforeEach, expect, test } from 'bun:test'
import { createLog } from '../log.ts'
import { createDamage } from './damage.ts'
import type { Engine } from './engine.ts'
import { BrokenState } from './engine-control.ts'
import type { Lineage } from './histories.ts'
import { createProgress } from './progress.ts'
import { createReplicationStatus, type ReplicationStatus } from './replication-state.ts'
import { createPresent, createWatch, type Present, syncAll, type Watch } from './watch.ts'

const log = createLog({ level: 'silent' })
const lineage: Lineage = { id: '01a', startedAt: '', schema: 1, version: '1', reason: 'new', from: null }
let isAlive: boolean
let fault: Error | null
let synced: string[]
let completed: string[]
let present: Present
let status: ReplicationStatus
let watch: Watch
const engine: Engine = {
  start: () => {},
  isAlive: () => isAlive,
  pid: () => 1,
  restarts: () => 0,
  lastEnd: () => null,
  sync: async (name) => {
    if (fault) throw fault
    synced.push(name)
    return 7
  },
  stop: async () => {},
}
const progress = () => createProgress({ now: () => 7 })
beforeEach(() => {
  isAlive = true
  fault = null
  synced = []
  completed = []
  present = { ...createPresent(log), lineage, engine }
  status = createReplicationStatus(log, () => ({ lineage: present.lineage?.id ?? null, url: 'file:///backup' }))
  watch = createWatch({
    present,
    progress: progress(),
    status,
    damage: createDamage(),
    complete: async ({ id }) => void completed.push(id),
    log,
  })
})

test('a check of the replica that finds everything at the place sets the state to running, and notes the first copy once', async () => {
  await watch.look()
  await watch.look()
  expect([status.state, status.why]).toEqual(['running', null])
  expect(completed).toEqual(['01a'])
  expect(synced.toSorted()).toEqual(['brokerbase.db', 'files.db'])
})

test('a check of the replica without an engine does nothing', async () => {
  present.engine = null
  await watch.look()
  expect(status.state).toBe('starting')
})

test('the state of replication stays starting while the first copy takes long, and is down after the engine ended or failed', async () => {
  fault = new Error('too late')
  await watch.look()
  expect(status.state).toBe('starting')
  isAlive = false
  await watch.look()
  expect([status.state, status.why]).toEqual(['down', 'the engine does not answer yet'])
  isAlive = true
  await watch.look()
  expect([status.state, status.why]).toEqual(['down', 'too late'])
  expect(completed).toEqual([])
})

test('the third report of a broken state of the engine ends the present history', async () => {
  fault = new BrokenState('ltx file corrupted')
  await watch.look()
  await watch.look()
  expect(present.reset.signal.aborted).toBe(false)
  await watch.look()
  expect(present.reset.signal.aborted).toBe(true)
})

test('a check of the replica during another check does nothing', async () => {
  const gate = Promise.withResolvers<number>()
  let calls = 0
  present.engine = {
    ...engine,
    sync: () => {
      calls += 1
      return gate.promise
    },
  }
  const first = watch.look()
  await watch.look()
  gate.resolve(7)
  await first
  expect(calls).toBe(2)
})

test('a sync without an engine rejects with the reason why there is none', async () => {
  present.engine = null
  const parts = { present, progress: progress(), status }
  expect(await syncAll(parts, 1000).catch(String)).toBe('Error: it is being started')
})

test('a check of the replica during which the place loses the history does not set it to complete', async () => {
  present.lose = (why) => {
    present.lost = why
    present.reset.abort()
  }
  watch = createWatch({
    present,
    progress: progress(),
    status,
    damage: createDamage(),
    complete: async () => present.lose('it holds no whole copy'),
    log,
  })
  await watch.look()
  expect([present.isComplete, present.reset.signal.aborted, status.state]).toEqual([false, true, 'starting'])
})
