import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listPackages, type Notice, readNotices, withDependencies, written } from './collect.ts'

const root = mkdtempSync(join(tmpdir(), 'brokerbase-licenses-'))
afterAll(() => rmSync(root, { recursive: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const manifest = (directory: string, fields: object): void =>
  put(`${directory}/package.json`, JSON.stringify({ version: '1.0.0', ...fields }))

manifest('node_modules/outer', { name: 'outer', license: 'MIT', dependencies: { inner: '*', missing: '*' } })
put('node_modules/outer/LICENSE', 'Outer may be used.\r\n')
put('node_modules/outer/NOTICE.md', 'Outer thanks.\n')
put('node_modules/outer/license.js', 'code')
manifest('node_modules/outer/node_modules/inner', { name: 'inner', version: '2.0.0', license: 'MIT' })
put('node_modules/outer/node_modules/inner/COPYING', 'Outer may be used.')
manifest('node_modules/inner', { name: 'inner', licenses: [{ type: 'ISC' }], author: { name: 'Somebody' } })
manifest('node_modules/@scope/part', { name: '@scope/part', license: 'MIT', repository: { url: 'https://a.test' } })

test('a file is of the innermost package that it lies in, and own files are of none', () => {
  const files = ['src/app.ts', '../node_modules/outer/a/b.js', 'node_modules/outer/node_modules/inner/c.js']
  expect([...listPackages([...files, '/x/node_modules/@scope/part/d.css'])]).toEqual([
    '../node_modules/outer',
    'node_modules/outer/node_modules/inner',
    '/x/node_modules/@scope/part',
  ])
})

test('the dependencies of a package are those that Node would load, without those that are not installed', () => {
  const outer = join(root, 'node_modules/outer')
  expect([...withDependencies(outer)]).toEqual([outer, join(outer, 'node_modules/inner')])
})

test('the terms of a package are all its files of terms, or without any what its manifest says', () => {
  const at = (path: string): string => join(root, 'node_modules', path)
  const found = readNotices([at('outer'), at('outer/node_modules/inner'), at('inner'), at('@scope/part'), at('outer')])
  const nothing = 'the package has no text of it.'
  expect(found).toEqual([
    {
      name: '@scope/part',
      version: '1.0.0',
      license: 'MIT',
      texts: [`License: MIT; ${nothing}\nSource: https://a.test`],
    },
    { name: 'inner', version: '1.0.0', license: 'ISC', texts: [`License: ISC; ${nothing}\nAuthor: Somebody`] },
    { name: 'inner', version: '2.0.0', license: 'MIT', texts: ['Outer may be used.'] },
    { name: 'outer', version: '1.0.0', license: 'MIT', texts: ['Outer may be used.', 'Outer thanks.'] },
  ])
})

test('all packages are listed first, and each text is written once below the packages that have it', () => {
  const notices: Notice[] = [
    { name: 'a', version: '1', license: 'MIT', texts: ['Same.'] },
    { name: 'b', version: '2', license: 'ISC', texts: ['Same.', 'Other.'] },
  ]
  const line = '='.repeat(80)
  expect(written(notices)).toBe(`a 1: MIT\nb 2: ISC\n\n${line}\na 1\nb 2\n\nSame.\n\n${line}\nb 2\n\nOther.\n`)
})
