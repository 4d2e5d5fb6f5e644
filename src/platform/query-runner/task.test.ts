import { describe, expect, test } from 'bun:test'
import { until } from '../../testing/until.ts'
import { childrenYield } from './limits.ts'
import { createSlots } from './slots.ts'
import { runTask, TaskFailed, TaskOverLimit, TaskStopped, taskCounts } from './task.ts'

const probe = (take: string, deadlineMs = 120_000) => runTask('limits.probe', { take }, { deadlineMs })
const readOutcome = (failed: Promise<unknown>): Promise<string> =>
  failed.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

describe('children of the program', () => {
  test('a child has limits that the kernel enforces, and a lower priority than the server', async () => {
    // the child runs only when nothing else does, so it may wait long on a busy machine
    childrenYield.value = true
    const told: unknown = await probe('nothing', 120_000).finally(() => {
      childrenYield.value = false
    })
    const { limits, nice, policy } = { limits: '', nice: 0, policy: 0, ...(typeof told === 'object' ? told : {}) }
    expect(limits).toMatch(/Max cpu time +121 +121 +seconds/)
    expect(limits).not.toMatch(/Max data size +unlimited/)
    expect(nice).toBe(19)
    // this is SCHED_IDLE of Linux
    expect(policy).toBe(5)
  })

  test('a child that takes too much memory ends, whether SQLite takes it or JavaScript', async () => {
    expect(await readOutcome(probe('native'))).toMatch(/memory/)
    expect(await readOutcome(probe('objects'))).toMatch(/memory/)
  })

  test('a child that takes too long, or prints too much, is stopped, and the error says why', async () => {
    expect(await readOutcome(probe('cpu', 500))).toBe('limits.probe was stopped: it took longer than 500 ms')
    expect(await readOutcome(probe('output'))).toBe('limits.probe was stopped: it printed too much')
  })

  test('a child that fails by itself is told from one that was ended at its limits', async () => {
    const fault = await probe('something unknown').catch((error: unknown) => error)
    expect([fault instanceof TaskFailed, fault instanceof TaskOverLimit]).toEqual([true, false])
    await expect(probe('native')).rejects.toBeInstanceOf(TaskOverLimit)
    await expect(probe('cpu', 500)).rejects.toBeInstanceOf(TaskOverLimit)
    await expect(probe('killed')).rejects.toBeInstanceOf(TaskOverLimit)
  })

  test('a child whose caller aborts is stopped', async () => {
    const stop = new AbortController()
    const killed = taskCounts.killed()
    const asked = runTask('limits.probe', { take: 'cpu' }, { deadlineMs: 120_000, signal: stop.signal })
    const failed = readOutcome(asked)
    await until('it runs', () => taskCounts.running() === 1)
    stop.abort()
    await expect(asked).rejects.toBeInstanceOf(TaskStopped)
    expect(await failed).toBe('limits.probe was stopped: it was told to stop')
    expect([taskCounts.killed() - killed, taskCounts.running(), taskCounts.waiting()]).toEqual([1, 0, 0])
  })
})

describe('places for children', () => {
  test('two children run at once, sixteen requests wait in their order, and the next is refused with a 503', async () => {
    const slots = createSlots()
    let firms = 0
    const take = () => {
      firms += 1
      return slots.take({ background: false, holder: `firm ${firms}` })
    }
    const first = await take()
    await take()
    const order: number[] = []
    const waiting = Array.from({ length: 16 }, (_, index) =>
      take().then((release) => {
        order.push(index)
        release()
      }),
    )
    const refused = await take().catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: 503, code: 'busy', headers: { 'retry-after': '5' } })
    first()
    first()
    await Promise.all(waiting)
    expect(order).toEqual(Array.from({ length: 16 }, (_, index) => index))
  })

  test('jobs take one place at most, and take turns with requests that wait', async () => {
    const slots = createSlots()
    const order: string[] = []
    const take = async (name: string, background: boolean) => {
      const release = await slots.take({ background })
      order.push(name)
      return release
    }
    const job = await take('job 1', true)
    const second = take('job 2', true)
    const third = take('job 3', true)
    const request = await take('request 1', false)
    const later = [take('request 2', false), take('request 3', false)]
    request()
    const twice = await later[0]
    expect(order).toEqual(['job 1', 'request 1', 'request 2'])
    job()
    ;(await second)()
    expect(order.slice(3)).toEqual(['job 2'])
    ;(await later[1])?.()
    ;(await third)()
    twice?.()
    expect(order.slice(4)).toEqual(['request 3', 'job 3'])
  })

  test('a firm with many requests waits behind a firm with one, and cannot fill the queue', async () => {
    const slots = createSlots()
    const order: string[] = []
    const take = async (holder: string) => {
      const release = await slots.take({ background: false, holder })
      order.push(holder)
      return release
    }
    const running = [await take('many'), await take('many')]
    const waiting = Array.from({ length: 8 }, () => take('many').then((release) => release()))
    await expect(take('many')).rejects.toMatchObject({ status: 503 })
    const one = take('one').then((release) => release())
    running[0]?.()
    await one
    expect(order.slice(0, 3)).toEqual(['many', 'many', 'one'])
    running[1]?.()
    await Promise.all(waiting)
    expect(order).toHaveLength(11)
  })

  test('one person cannot fill the queue of a firm, and two firms cannot keep a third out of it', async () => {
    const slots = createSlots()
    const stay = { background: false }
    const running = [await slots.take({ ...stay, holder: 'a' }), await slots.take({ ...stay, holder: 'b' })]
    const ends: Promise<unknown>[] = []
    const wait = (holder: string, person: string) => {
      const promise = slots.take({ ...stay, holder, person }).then((release) => release())
      ends.push(promise.catch(() => {}))
      return promise
    }
    for (const holder of ['a', 'b'])
      for (const person of ['one', 'two', 'three'])
        for (let n = 0; n < 3; n += 1) void wait(holder, person).catch(() => {})
    await expect(wait('a', 'one')).rejects.toMatchObject({ status: 503 })
    // the queue is full: the last request of one of the two firms is refused for a third firm
    const third = wait('c', 'anybody')
    running[0]?.()
    running[1]?.()
    await third
    await Promise.all(ends)
  })

  test('clients together take one place at most, behind staff, and each has one request that waits', async () => {
    const slots = createSlots()
    const order: string[] = []
    const take = async (name: string, person?: string, holder = 'firm') => {
      const release = await slots.take({ background: false, holder, person, isClient: person !== undefined })
      order.push(name)
      return release
    }
    const client = await take('client 1', 'one')
    const again = take('client 1 again', 'one')
    await expect(take('client 1 once more', 'one')).rejects.toMatchObject({ status: 503 })
    // a place is free, but no second client gets it, of whatever firm
    const other = take('client 2', 'two', 'other firm')
    const staff = await take('staff 1')
    const later = take('staff 2')
    client()
    ;(await later)()
    ;(await other)()
    expect(order).toEqual(['client 1', 'staff 1', 'staff 2', 'client 2'])
    ;(await again)()
    staff()
    expect(order.at(-1)).toBe('client 1 again')
  })

  test('a request that waits too long, and a job that is aborted, leave their turn to the next', async () => {
    const slots = createSlots({ atOnce: 1, patienceMs: 20 })
    const release = await slots.take({ background: false })
    await expect(slots.take({ background: false })).rejects.toMatchObject({ status: 503 })
    const gone = new AbortController()
    const left = slots.take({ background: true, signal: gone.signal }).catch(() => 'left')
    gone.abort()
    expect(await left).toBe('left')
    release()
    ;(await slots.take({ background: false }))()
  })
})
