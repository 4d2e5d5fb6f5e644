import { expect, test } from 'bun:test'
import { collectFailures, printFailures } from './failures.ts'

const fail = (name: string, ...middle: string[]): string =>
  ['3 |   expect(1).toBe(2)', '        ^', `error: reason of ${name}`, ...middle, `(fail) ${name} [1.00ms]`, ''].join(
    '\n',
  )
const print = (...texts: string[]): string => {
  const { read, all } = collectFailures()
  for (const text of texts) read(text)
  return printFailures(all())
}

test('each of several tests of a file that fail in a row is printed with its reason', () => {
  const printed = print('(pass) fine [1.00ms]\n', fail('a', ...Array(200).fill('+ 1')), fail('b'), '(pass) c [1ms]\n')
  for (const line of ['error: reason of a', '(fail) a', 'error: reason of b', '(fail) b'])
    expect(printed).toContain(line)
  expect(printed.split('\n').length).toBeLessThan(80)
  expect(printed).not.toContain('(pass)')
})

test('the reason of a failed test is printed even if the test printed many lines before it failed', () => {
  expect(print(`${'noise\n'.repeat(500)}${fail('late')}`)).toContain('error: reason of late')
})

test('an error outside of any test and a passed time limit are printed as reasons', () => {
  const rule = '-'.repeat(31)
  const printed = print(`\n# Unhandled error between tests\n${rule}\nerror: broken file\n${rule}\n`, fail('next'))
  expect(printed).toContain('error: broken file')
  expect(printed).toContain('(fail) next')
  expect(print(fail('a'), '1 tests failed:\n(fail) a [1.00ms]\n').split('(fail)')).toHaveLength(2)
  expect(print('(fail) slow [20ms]\n  ^ this test ', 'timed out after 20ms.\n')).toContain('timed out after 20ms')
})

test('if many tests fail, the later ones are printed with their names and reasons only', () => {
  const printed = print(...Array.from({ length: 300 }, (_, index) => fail(`number ${index}`)))
  for (const index of [0, 150, 299]) expect(printed).toContain(`error: reason of number ${index}\n`)
  expect(printed).toContain('(fail) number 299')
})
