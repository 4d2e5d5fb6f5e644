import { afterEach, beforeEach, describe, expect, jest, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { backupsBy } from '../modules/box/backups/backups.jobs.ts'
import { SECOND } from '../platform/clock.ts'
import { openStore } from '../platform/replication/open-store.ts'
import { openHost } from '../platform/replication/sftp-store.ts'
import type { Store } from '../platform/replication/store.ts'
import { openReader } from '../platform/sqlite.ts'
import { foundFirm } from '../testing/app.ts'
import { hasSftp, type SftpHost, startSftp } from '../testing/fakes/sftp.ts'
import { enginePath, makePlace, type Place } from '../testing/replica.ts'
import { until } from '../testing/until.ts'
import { restoreNow } from './restore.ts'

setDefaultTimeout(180_000)
if (!hasSftp) process.stdout.write('No sftp-server here (apt-get install openssh-sftp-server): SFTP is not tried.\n')

describe.skipIf(!hasSftp)('a replica by SFTP', () => {
  let host: SftpHost
  let place: Place
  beforeEach(async () => {
    host = await startSftp()
    place = makePlace()
  })
  afterEach(async () => {
    await place.close()
    await host.stop()
  })
  const away = (): string => join(place.root, 'away')
  const store = (hostKey = host.hostKey, privateKey = host.privateKey): Store =>
    openStore(
      { kind: 'sftp', host: '127.0.0.1', port: host.port, user: host.user, directory: away() },
      { ssh: { privateKey, hostKey } },
    )

  test('a host with SFTP gets small and large files completely or not at all', async () => {
    const there = store()
    expect(await there.read('a/none')).toBeUndefined()
    expect(await there.list('a')).toEqual([])
    await there.write('a/b/one.json', new TextEncoder().encode('1'))
    await there.write('a/b/one.json', new TextEncoder().encode('2'))
    expect(new TextDecoder().decode(await there.read('a/b/one.json'))).toBe('2')
    expect(await there.list('a')).toEqual(['a/b/one.json'])
    expect(readdirSync(join(away(), 'a/b'))).toEqual(['one.json'])
    expect(statSync(join(away(), 'a/b/one.json')).mode & 0o777).toBe(0o600)
    const path = join(place.root, 'large')
    await Bun.write(path, crypto.getRandomValues(new Uint8Array(65_536)))
    await there.upload('large', path)
    await there.download('large', `${path}.back`)
    expect(await Bun.file(`${path}.back`).bytes()).toEqual(await Bun.file(path).bytes())
    await there.remove('large')
    await there.remove('large')
    expect(existsSync(join(away(), 'large'))).toBe(false)
  })

  test('a connection by SFTP asks for the same kind of host key as the engine', async () => {
    await store().write('x', new Uint8Array([1]))
    expect(host.otherKeys.map((key) => key.split(' ')[0])).toEqual(['ssh-rsa', 'ssh-ed25519'])
    for (const key of host.otherKeys)
      await expect(store(key).write('x', new Uint8Array([1]))).rejects.toThrow('ssh-keyscan -t ecdsa')
  })

  test('a server sends nothing to a host with another host key, and cannot sign in with another key', async () => {
    const other = await startSftp()
    await expect(store(other.hostKey).write('x', new Uint8Array([1]))).rejects.toThrow('Host denied')
    await expect(store(host.hostKey, other.privateKey).write('x', new Uint8Array([1]))).rejects.toThrow(
      'authentication methods failed',
    )
    expect(existsSync(away())).toBe(false)
    await other.stop()
  })

  test('a server gives up a host that stops answering, and reaches it again by a new connection', async () => {
    const there = openHost(
      { kind: 'sftp', host: '127.0.0.1', port: host.port, user: host.user, directory: away() },
      { privateKey: host.privateKey, hostKey: host.hostKey },
    )
    const path = join(place.root, 'large')
    await Bun.write(path, new Uint8Array(8 << 20))
    await there.upload('before', path)
    /** Calls `act` while the host hangs, and lets time pass until the server gives the host up. */
    const hanging = async (act: () => Promise<void>): Promise<void> => {
      host.hang()
      let said = ''
      void act().catch((error: unknown) => {
        said = String(error)
      })
      await until('it is given up', () => {
        jest.advanceTimersByTime(SECOND)
        return said !== ''
      })
      expect(said).toContain('did not answer in time')
    }
    jest.useFakeTimers()
    await hanging(() => there.upload('large', path))
    await there.upload('large', path)
    await hanging(() => there.download('large', `${path}.back`))
    await there.download('large', `${path}.again`)
    jest.useRealTimers()
    expect(statSync(`${path}.again`).size).toBe(8 << 20)
  })

  test.skipIf(enginePath === undefined)('a machine comes back by SFTP, also from a snapshot', async () => {
    const settings = {
      BROKERBASE_REPLICA_URL: `sftp://${host.user}@127.0.0.1:${host.port}${away()}`,
      BROKERBASE_REPLICA_SSH_KEY: host.privateKey,
      BROKERBASE_REPLICA_HOST_KEY: host.hostKey,
    }
    const server = await place.start('a', settings)
    const { platform } = server
    const firm = await foundFirm(platform, 'first')
    await firm.trader({})
    const seen = () => platform.replication?.seen()
    const noLag = () => until('no lag', () => seen()?.databases.every(({ lagMs }) => lagMs === 0) ?? false)
    await noLag()
    await firm.trader({})
    await noLag()
    // files of others are at the same place
    const theirs = ['snapshots/2019-archive.tar', 'snapshots/our-books-a.tar', 'snapshots/our-books-b.tar']
    for (const name of theirs) await store().write(name, new Uint8Array([1]))
    const { id } = await backupsBy(platform, platform.replication).take('manual')
    expect((await store().list('snapshots')).sort()).toEqual([...theirs, `snapshots/${id}.tar`].sort())
    expect(statSync(join(place.root, 'a/engine/ssh.key')).mode & 0o777).toBe(0o600)
    await server.stop()
    const flags = { keyFile: join(place.root, 'a/secret.key'), json: true } as const
    const dialogue = () => ({ ask: async () => '', tell: () => {} })
    expect(JSON.parse(await restoreNow(place.config('b', settings), flags, dialogue)).done).toBe(true)
    const db = openReader(join(place.root, 'b/brokerbase.db'))
    expect(db.get<{ n: number }>('SELECT count(*) AS n FROM traders')).toEqual({ n: 2 })
    db.close()
    rmSync(join(place.root, 'b'), { recursive: true })
    // this takes the newest of our snapshots, whatever files are beside it
    const fromSnapshot = await restoreNow(place.config('b', settings), { ...flags, snapshot: true }, dialogue)
    expect(JSON.parse(fromSnapshot).source).toContain(id)
  })
})
