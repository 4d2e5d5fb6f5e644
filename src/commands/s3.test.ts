import { afterEach, beforeEach, describe, expect, jest, setDefaultTimeout, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { backupsBy } from '../modules/box/backups/backups.jobs.ts'
import { SECOND } from '../platform/clock.ts'
import { openStore } from '../platform/replication/open-store.ts'
import { parseReplicaUrl } from '../platform/replication/replica-place.ts'
import type { Store } from '../platform/replication/store.ts'
import { openReader } from '../platform/sqlite.ts'
import { foundFirm } from '../testing/app.ts'
import { type S3, startS3 } from '../testing/fakes/s3.ts'
import { enginePath, makePlace, momentBetween, type Place } from '../testing/replica.ts'
import { until } from '../testing/until.ts'
import { restoreNow } from './restore.ts'

setDefaultTimeout(180_000)

let s3: S3
beforeEach(() => {
  s3 = startS3()
})
afterEach(() => s3.stop())

const placeUrl = (): string => `s3://backup/acme?endpoint=${s3.url}&region=eu-test-1`

function store(accessKeyId = s3.accessKeyId): Store {
  const place = parseReplicaUrl(placeUrl())
  if (typeof place === 'string') throw new Error(place)
  return openStore(place, { s3: { accessKeyId, secretAccessKey: s3.secretAccessKey } })
}

test('a bucket stores small objects and large files below the prefix, lists them over pages, and removes them', async () => {
  const bucket = store()
  expect(await bucket.read('a/none')).toBeUndefined()
  await bucket.write('a/one.json', new TextEncoder().encode('1'))
  expect(new TextDecoder().decode(await bucket.read('a/one.json'))).toBe('1')
  expect([...s3.objects.keys()]).toEqual(['backup/acme/a/one.json'])
  for (let n = 0; n < 1_001; n += 1)
    s3.objects.set(`backup/acme/b/${String(n).padStart(5, '0')}`, s3.objects.values().next().value ?? never())
  expect(await bucket.list('b')).toHaveLength(1_001)
  await bucket.remove('a/one.json')
  await bucket.remove('a/one.json')
  expect(await bucket.list('a')).toEqual([])
  // more than one part of an upload
  const path = join(makePlaceRoot(), 'large')
  const large = crypto.getRandomValues(new Uint8Array(65_536))
  await Bun.write(path, Buffer.concat(Array.from({ length: 600 }, () => large)))
  await bucket.upload('large', path)
  await bucket.download('large', `${path}.back`)
  expect(Bun.hash(await Bun.file(`${path}.back`).bytes())).toBe(Bun.hash(await Bun.file(path).bytes()))
})

test('wrong keys and a bucket that refuses calls are errors, and do not look like an empty bucket', async () => {
  await expect(store('another-key').read('x')).rejects.toThrow()
  s3.be('refusing')
  await expect(store().read('x')).rejects.toThrow()
})

const roots: Place[] = []
const makePlaceRoot = (): string => {
  const place = makePlace()
  roots.push(place)
  return place.root
}
const never = (): never => {
  throw new Error('there is nothing to copy')
}
afterEach(async () => {
  for (const place of roots.splice(0)) await place.close()
})

describe.skipIf(enginePath === undefined)('a server with a bucket', () => {
  let place: Place
  const settings = () => ({
    BROKERBASE_REPLICA_URL: placeUrl(),
    BROKERBASE_REPLICA_ACCESS_KEY_ID: s3.accessKeyId,
    BROKERBASE_REPLICA_SECRET_ACCESS_KEY: s3.secretAccessKey,
  })
  beforeEach(() => {
    place = makePlace()
  })
  afterEach(() => place.close())
  const restored = async (name: string, flags: object) =>
    JSON.parse(
      await restoreNow(
        place.config(name, settings()),
        { ...flags, keyFile: join(place.root, 'a/secret.key'), json: true },
        () => ({ ask: async () => '', tell: () => {} }),
      ),
    )
  const tradersIn = (name: string): number | undefined => {
    const db = openReader(join(place.root, name, 'brokerbase.db'))
    const count = db.get<{ n: number }>('SELECT count(*) AS n FROM traders')?.n
    db.close()
    return count
  }

  test('a server comes back from a bucket to the last write, or to a time before a mistake', async () => {
    const server = await place.start('a', settings())
    const { platform } = server
    const firm = await foundFirm(platform, 'first')
    const mistaken = await firm.trader({})
    const noLag = () =>
      until('no lag', () => platform.replication?.seen().databases.every(({ lagMs }) => lagMs === 0) ?? false)
    await noLag()
    const before = await momentBetween()
    await platform.writer.submit(() => platform.connection.run('DELETE FROM traders WHERE id = ?', [mistaken]))
    await firm.trader({})
    await firm.trader({})
    await noLag()
    await server.stop()
    expect((await restored('b', {})).done).toBe(true)
    expect(tradersIn('b')).toBe(2)
    expect((await restored('c', { at: before })).done).toBe(true)
    expect(tradersIn('c')).toBe(1)
  })

  test('a server with a bucket keeps a second one from it, and reports a lag if the bucket refuses calls', async () => {
    const { platform } = await place.start('a', settings())
    const other = await place.start('b', settings(), false)
    await until('it waits', () => other.platform.replication?.seen().state === 'waiting')
    s3.be('refusing')
    const firm = await foundFirm(platform, 'first')
    await until('it is down', () => platform.replication?.seen().state === 'down')
    s3.be('well')
    await firm.trader({})
    await until('it runs', () => platform.replication?.seen().state === 'running')
  })

  test('a server whose bucket hangs stops without waiting for each open call', async () => {
    s3.be('hanging')
    const server = await place.start('a', settings(), false)
    await until('the lease is being asked for', () => s3.hanging() > 0)
    jest.useFakeTimers()
    let isOver = false
    const stopped = server.stop().finally(() => {
      isOver = true
    })
    let seconds = 0
    await until('it has stopped', () => {
      jest.advanceTimersByTime(SECOND / 10)
      seconds += 0.1
      return isOver
    })
    jest.useRealTimers()
    await stopped
    // each open call would be given up after 15 seconds
    expect(seconds).toBeLessThan(9)
  })

  test('a server keeps its snapshots in the bucket too, and comes back from them without its machine', async () => {
    const server = await place.start('a', settings())
    const { platform } = server
    const firm = await foundFirm(platform, 'first')
    await firm.trader({})
    const backups = backupsBy(platform, platform.replication)
    expect(await backups.sendAgain()).toBeNull()
    // a bucket that refuses calls gets the snapshot later
    s3.be('refusing')
    await expect(backups.take('manual')).rejects.toThrow(
      /^The snapshot \d{8}-\d{6}-manual was taken, and could not be sent beside the replica: /,
    )
    s3.be('well')
    const id = await backups.sendAgain()
    expect([...s3.objects.keys()].filter((key) => key.includes('/snapshots/'))).toEqual([
      `backup/acme/snapshots/${id}.tar`,
    ])
    expect(await backups.sendAgain()).toBeNull()
    await server.stop()
    rmSync(join(place.root, 'a/snapshots'), { recursive: true })
    expect((await restored('b', { snapshot: id })).source).toContain(id)
    expect(tradersIn('b')).toBe(1)
    // without a name, the newest snapshot is taken
    expect((await restored('c', { snapshot: true })).source).toContain(id)
  })
})
