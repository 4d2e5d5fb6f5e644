import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printService } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'brokerbase-service-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the settings of a unit, without its comments. */
const readSettings = (unit: string): Map<string, string> =>
  new Map(
    unit.split('\n').flatMap((line) => {
      const [, name = '', value = ''] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? []
      return name === '' ? [] : [[name, value] as const]
    }),
  )

test('the systemd unit runs this executable in a sandbox with what it needs', () => {
  const unit = readSettings(printService('/usr/local/bin/brokerbase'))
  expect(Object.fromEntries(unit)).toMatchObject({
    ExecStart: '"/usr/local/bin/brokerbase" serve',
    DynamicUser: 'yes',
    StateDirectory: 'brokerbase',
    AmbientCapabilities: 'CAP_NET_BIND_SERVICE',
    NoNewPrivileges: 'yes',
    ProtectSystem: 'strict',
    MemoryDenyWriteExecute: 'no',
    Restart: 'always',
    UnsetEnvironment: 'BUN_OPTIONS BUN_BE_BUN',
  })
  expect(unit.get('RestrictAddressFamilies')).toContain('AF_UNIX')
  expect(Number(unit.get('TimeoutStopSec'))).toBeGreaterThan(10)
  // if TMPDIR forbade programs, every sign-in would break
  expect(printService('/usr/local/bin/brokerbase')).not.toMatch(/NoExecPaths|noexec$/m)
})

test('the systemd unit quotes blanks and percent signs of a path, and may read a path below a home directory', () => {
  expect(readSettings(printService('/opt/my 50%/brokerbase')).get('ExecStart')).toBe('"/opt/my 50%%/brokerbase" serve')
  expect(readSettings(printService('/home/op/brokerbase')).get('ProtectHome')).toBe('read-only')
  expect(() => printService('brokerbase')).toThrow('whole path')
})

test('systemd finds no fault in the unit, if it is installed', () => {
  const analyze = Bun.which('systemd-analyze')
  if (analyze === null) {
    process.stdout.write('no systemd-analyze here: the unit was not verified\n')
    return
  }
  const path = join(folder, 'brokerbase.service')
  writeFileSync(path, printService(process.execPath))
  const verified = Bun.spawnSync([analyze, 'verify', '--man=no', path], { stderr: 'pipe' })
  // faults of other units of the machine do not count
  const ours = verified.stderr
    .toString()
    .split('\n')
    .filter((line) => line.includes('brokerbase'))
  expect(ours).toEqual([])
  const rated = Bun.spawnSync([analyze, 'security', '--offline=true', '--threshold=40', path], { stdout: 'pipe' })
  const said = rated.stdout.toString()
  if (said.includes('Overall exposure level')) process.stdout.write(`${said.trimEnd().split('\n').at(-1)}\n`)
})
