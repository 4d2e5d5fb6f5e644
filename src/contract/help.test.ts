import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { findHelp } from '../../admin-ui/features/overview/help/help-pages.ts'
import { de } from '../words/de.ts'
import { help } from '../words/en/help.ts'

/** Returns the patterns of the pages behind sign-in, such as `/deposits/$id`. */
async function readPages(): Promise<string[]> {
  const files = ['router.tsx', 'work-pages.tsx'].map((file) => join(import.meta.dir, '../../admin-ui', file))
  const texts = await Promise.all(files.map((path) => Bun.file(path).text()))
  return texts.flatMap((text) => [...text.matchAll(/\bpage\(\s*'(\/[^']*)'/g)].map(([, page = '']) => page))
}
const pages = await readPages()
/** The pages whose own sentences are German, so that their help must be German too. */
const GERMAN = ['/', '/deposits', '/withdrawals', '/security', '/views']

test('every page of the console has a help with at least one task', () => {
  expect(pages.length).toBeGreaterThan(40)
  const without = pages.filter((page) => {
    const found = findHelp(page)
    return found === undefined || !Object.hasOwn(help, `help.task.${found.area}.1`)
  })
  expect(without).toEqual([])
})

test('every sentence of the help is shown on some page', () => {
  const helps = pages.flatMap((page) => findHelp(page) ?? [])
  const areas = new Set<string>(helps.map(({ area }) => area))
  const terms = new Set<string>(helps.flatMap((one) => one.terms))
  const unused = Object.keys(help).filter((key) => {
    const [, kind, name = ''] = key.split('.')
    return kind === 'about' || kind === 'task' ? !areas.has(name) : !terms.has(name)
  })
  expect(unused).toEqual([])
})

test('the help of a German page is German', () => {
  const missing = GERMAN.flatMap((page) => {
    const { area = '', terms = [] } = findHelp(page) ?? {}
    const keys = [`help.about.${area}`, ...Object.keys(help).filter((key) => key.startsWith(`help.task.${area}.`))]
    return [...keys, ...terms.flatMap((term) => [`help.term.${term}`, `help.means.${term}`])]
  })
  expect(missing.filter((key) => !Object.hasOwn(de, key))).toEqual([])
})
