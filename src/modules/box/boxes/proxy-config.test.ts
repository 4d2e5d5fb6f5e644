import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../../testing/until.ts'
import type { BoxOut } from './boxes.model.ts'
import { groupBoxes, printMap, printProxy } from './proxy-config.ts'

const haproxy = Bun.which('haproxy')
if (!haproxy) process.stdout.write('No HAProxy here: its test is skipped.\n')

const box = (name: string, url: string, firms: readonly [id: string, domain: string | null][]): BoxOut => ({
  name,
  url,
  error: null,
  self: {
    role: 'primary',
    ageSeconds: null,
    version: '1',
    schema: 1,
    replica: null,
    disk: { freeBytes: 1, totalBytes: 1 },
    provenAt: null,
    firms: firms.map(([id, domain]) => ({ id, slug: `firm-${id}`, domain, state: 'active' })),
  },
})
/** Writes the files of HAProxy into a directory, as the test can use them: it has no certificates. */
function writeFiles(root: string, groups: ReturnType<typeof groupBoxes>, port: number): string {
  mkdirSync(join(root, 'run'))
  writeFileSync(join(root, 'firms.map'), printMap(groups))
  const config = printProxy(groups)
    .replaceAll('/etc/haproxy/firms.map', join(root, 'firms.map'))
    .replaceAll('/run/haproxy', join(root, 'run'))
    .replace('    bind :80\n', `    bind 127.0.0.1:${port}\n`)
    .replace(/ {4}bind :443.*\n/, '')
    .replace(/ {4}http-request redirect.*\n/, '')
  writeFileSync(join(root, 'haproxy.cfg'), config)
  return join(root, 'haproxy.cfg')
}

/** Returns what HAProxy says against the configuration of these boxes; nothing where it is not installed. */
function listFaults(groups: ReturnType<typeof groupBoxes>): string {
  if (!haproxy) return ''
  const root = mkdtempSync(join(tmpdir(), 'brokerbase-haproxy-'))
  try {
    const { exitCode, stderr } = Bun.spawnSync([haproxy, '-c', '-q', '-f', writeFiles(root, groups, 8080)])
    return exitCode === 0 ? '' : stderr.toString()
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const silent = (name: string, url: string): BoxOut => ({ name, url, error: 'no answer', self: null })

test('boxes with the same firms are one backend, and firms without a domain are comments of the map', () => {
  const groups = groupBoxes([
    box('a', 'https://10.0.0.1:8443', [
      ['1', 'acme.test'],
      ['2', null],
    ]),
    box('other', 'http://10.0.0.3', [['3', 'other.test']]),
    box('b', 'https://10.0.0.2', [['2', null]]),
    silent('c', 'https://10.0.0.4:8443'),
  ])
  expect(groups.map(({ name, boxes }) => [name, boxes.map((one) => one.name)])).toEqual([
    ['a', ['a', 'b']],
    ['other', ['other']],
    ['c', ['c']],
  ])
  expect(printMap(groups)).toBe('# firm-2 has no domain: a\nacme.test a\nother.test other\n')
  const printed = printProxy(groups)
  expect(printed).toContain('    server b 10.0.0.2:443 ssl')
  expect(printed).toContain('    server other 10.0.0.3:80\n')
  expect(printed).toContain('# c said nothing of itself: no answer\n    server c')
  expect(listFaults(groups)).toBe('')
})

test.each([
  [['none', 'b']],
  [['a', 'a-read']],
  [['office', 'no-box', 'if', 'unless', '1', '0-0']],
  [['read', 'a-read-read', 'a-read', 'a']],
])('HAProxy takes boxes that are called %p, each with backends of its own', (names) => {
  const groups = groupBoxes(names.map((name, at) => box(name, `http://10.0.0.${at + 1}`, [[name, `${name}.test`]])))
  const backends = [...printProxy(groups).matchAll(/^backend (.+)$/gm)].map(([, name]) => name)
  expect(backends).toHaveLength(2 * names.length + 1)
  expect(new Set(backends).size).toBe(backends.length)
  expect(listFaults(groups)).toBe('')
})

test.skipIf(!haproxy)(
  'HAProxy sends writes to the box that writes, and reads to another one while there is none',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'brokerbase-haproxy-'))
    const roles = { a: 'primary', b: 'standby' }
    const serve = (name: 'a' | 'b') =>
      Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: ({ url }) => {
          const { pathname } = new URL(url)
          if (pathname === '/ready/primary') return new Response('', { status: roles[name] === 'primary' ? 200 : 503 })
          if (pathname === '/ready/read') return new Response('', { status: roles[name] === 'dead' ? 503 : 200 })
          return new Response(name)
        },
      })
    const servers = { a: serve('a'), b: serve('b') }
    const front = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('') })
    const port = front.port ?? 0
    await front.stop(true)
    const firms: [string, string][] = [['1', 'acme.test']]
    const groups = groupBoxes([
      box('a', `http://127.0.0.1:${servers.a.port}`, [
        ...firms.map(([id, domain]) => [id, domain] as [string, string]),
      ]),
      box('b', `http://127.0.0.1:${servers.b.port}`, [
        ...firms.map(([id, domain]) => [id, domain] as [string, string]),
      ]),
    ])
    const config = writeFiles(root, groups, port)
    const proxy = Bun.spawn([haproxy ?? '', '-db', '-f', config], {
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const ask = async (method: string, host = 'acme.test'): Promise<string> => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/traders`, { method, headers: { host } }).catch(() => null)
      return answer === null ? 'none' : answer.ok ? answer.text() : String(answer.status)
    }
    try {
      // until the first checks have failed, a server counts as one that answers
      const isAlwaysA = async (): Promise<boolean> =>
        (await Promise.all(Array.from({ length: 8 }, () => ask('POST')))).every((name) => name === 'a')
      await until('only the primary answers', isAlwaysA)
      expect(await ask('GET')).toBe('a')
      expect(await ask('GET', 'unknown.test')).toBe('421')
      roles.a = 'dead'
      await until('reads go to the standby', async () => (await ask('GET')) === 'b')
      expect(await ask('POST')).toBe('503')
      roles.b = 'primary'
      await until('writes go to the new primary', async () => (await ask('POST')) === 'b')
    } finally {
      proxy.kill()
      await proxy.exited
      await Promise.all([servers.a.stop(true), servers.b.stop(true)])
      rmSync(root, { recursive: true, force: true })
    }
  },
)
