import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { MIB } from '../../platform/bytes.ts'
import { mustBeUsable } from '../../platform/file-rights.ts'
import { diskVital } from '../../platform/readiness.ts'
import { DATABASES } from '../../platform/replication/engine-config.ts'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'

/** Returns the nearest existing directory above a path. */
function nearest(path: string): string {
  let here = resolve(path)
  while (!existsSync(here)) here = dirname(here)
  return realpathSync(here)
}

/** Returns whether the file system of a path forbids programs; false if the system does not tell. */
function isNoExec(path: string): boolean {
  if (!existsSync('/proc/self/mounts')) return false
  const here = `${nearest(path)}/`
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, point = '']) => here.startsWith(point === '/' ? '/' : `${point}/`))
    .toSorted(([, a = ''], [, b = '']) => a.length - b.length)
  return (mounts.at(-1)?.[3] ?? '').split(',').includes('noexec')
}

const readMode = (path: string): string => (statSync(path).mode & 0o777).toString(8).padStart(4, '0')
const isOpen = (path: string): boolean => (statSync(path).mode & 0o077) !== 0

/** Only the server's user may open these files and directories. */
const PRIVATE = ['brokerbase.db', 'files.db', 'secret.key', 'snapshots', 'engine', 'tls']

const directory: Check = {
  name: 'data directory',
  look: ({ config: { dataDir, replica } }) => {
    if (!existsSync(dataDir))
      return [warn('data directory', `${dataDir} is not there`, 'serve makes it; or name the right one by --data-dir')]
    const found: Finding[] = []
    for (const name of DATABASES)
      try {
        mustBeUsable(join(dataDir, name), { writes: true })
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        found.push(fail('data directory', why, 'follow that sentence, or run doctor as the user of the server'))
        break
      }
    for (const path of [dataDir, ...PRIVATE.map((name) => join(dataDir, name))].filter((one) => existsSync(one)))
      if (isOpen(path)) found.push(warn('permissions', `${path} is ${readMode(path)}`, `chmod go= ${path}`))
    if (replica && isNoExec(dataDir))
      found.push(
        fail(
          'data directory',
          `${dataDir} is mounted noexec, and the replication engine runs from there`,
          'mount it without noexec, or name an engine elsewhere by BROKERBASE_LITESTREAM',
        ),
      )
    return found.length > 0 ? found : [ok('data directory', `${dataDir}: only its owner can open it`)]
  },
}

const temporary: Check = {
  name: 'temporary directory',
  look: () => {
    const path = tmpdir()
    return [
      isNoExec(path)
        ? fail(
            'temporary directory',
            `${path} is mounted noexec, and the password hash's native code runs from there`,
            'set TMPDIR to a directory that is not',
          )
        : ok('temporary directory', path),
    ]
  },
}

const disk: Check = {
  name: 'disk',
  look: ({ config: { dataDir } }) => {
    const vital = diskVital(nearest(dataDir))
    return [vital.ok ? ok('disk', vital.text) : fail('disk', vital.text, 'remove what is not needed, or grow the disk')]
  },
}

/** Returns the bytes of a directory's files. */
const bytesIn = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

const leftovers: Check = {
  name: 'left over',
  look: ({ config: { dataDir } }) => {
    if (!existsSync(dataDir)) return []
    return readdirSync(dataDir)
      .filter((name) => name.startsWith('before-restore-'))
      .map((name) => {
        const path = join(dataDir, name)
        const size = (bytesIn(path) / MIB).toFixed(1)
        return warn('left over', `${path}: the data before a restore, ${size} MiB`, `when you are sure: rm -r ${path}`)
      })
  },
}

/** Checks of the machine: directories, permissions, disk. */
export const MACHINE: readonly Check[] = [directory, temporary, disk, leftovers]
