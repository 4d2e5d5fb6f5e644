import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { toVariableName } from '../config.ts'
import { SETTINGS, type Setting } from '../settings-list.ts'

const root = join(import.meta.dir, '../..')
const readText = (path: string): Promise<string> => Bun.file(join(root, path)).text()

/** Returns the rows of a page's tables, each with its cells. */
const readRows = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    )

test('the manual’s table of configuration has every setting, in its order, with its flag, file and default', async () => {
  const rows = readRows(await readText('src/manual/configuration.md'))
  const named = SETTINGS.map(({ name, ...rest }) => {
    const { flag = false, secret = false }: Partial<Setting> = rest
    return `\`${toVariableName(name)}\`${flag ? ` (\`--${name}\`)` : ''}${secret ? ' or `…_FILE`' : ''}`
  })
  expect(rows.map(([variable]) => variable)).toEqual(named)
  const wrong = SETTINGS.filter(({ fallback }, at) => fallback !== '' && !rows[at]?.[1]?.includes(`\`${fallback}\``))
  expect(wrong.map(({ name }) => name)).toEqual([])
})

test('the variables on the first page are in the manual’s table of configuration', async () => {
  const all = new Set(readRows(await readText('src/manual/configuration.md')).map((row) => row.join(' | ')))
  const essential = readRows(await readText('README.md')).filter(([variable]) => variable?.startsWith('`BROKERBASE_'))
  expect(essential.length).toBeGreaterThan(5)
  expect(essential.map((row) => row.join(' | ')).filter((row) => !all.has(row))).toEqual([])
})

test('every script is in CONTRIBUTING’s table of checks, and every entry there is a script', async () => {
  const { scripts } = await Bun.file(join(root, 'package.json')).json()
  const told = readRows(await readText('.github/CONTRIBUTING.md')).flatMap(([command = '']) => {
    const [, name] = /^`bun (?:run )?([a-z-]+)`$/.exec(command) ?? []
    return name === undefined ? [] : [name]
  })
  expect(told.toSorted()).toEqual(Object.keys(scripts).toSorted())
})

test('every package is in the table of dependencies', async () => {
  const { dependencies, devDependencies } = await Bun.file(join(root, 'package.json')).json()
  const text = await readText('src/manual/dependencies.md')
  const missing = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => {
    const group = `${name.split('/')[0]}/\\*`
    return !name.startsWith('@types/') && !text.includes(name) && !text.includes(group)
  })
  expect(missing).toEqual([])
})
