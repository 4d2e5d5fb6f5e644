import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Mutant, withMutants } from './sites.ts'
import { SKIPPED } from './skipped.ts'

/** Returns the changes of a source, as `before → after`. */
function listMutants(source: string): string[] {
  const all: Mutant[] = []
  const text = withMutants('src/modules/x/x.ts', source, all, [])
  expect(() => new Bun.Transpiler({ loader: 'ts' }).transformSync(text)).not.toThrow()
  return all.map(({ before, after }) => `${before} → ${after}`)
}

test('mutants change constants by one, comparisons at their border, and roundings to another direction', () => {
  expect(listMutants('const a = 72 * HOUR')).toEqual(['72 → 73', '72 → 71'])
  expect(listMutants('const a = 10_000n')).toEqual(['10_000n → 10001n', '10_000n → 9999n'])
  expect(listMutants('const a = 0.88')).toEqual(['0.88 → 0.89', '0.88 → 0.87'])
  expect(listMutants('const a = b === c')).toEqual(['b === c → b !== c'])
  expect(listMutants('Math.ceil(a)')).toEqual(['Math.ceil → Math.floor', 'Math.ceil → Math.round'])
  expect(listMutants("apply(a, 'down')")).toEqual(["'down' → 'half-even'", "'down' → 'up'"])
  expect(listMutants('divHalfEven(a, b)')).toEqual(['divHalfEven(a, b) → rounded down'])
})

test('a constant beside a comparison is changed only in the direction that no mutant of the comparison covers', () => {
  expect(listMutants('a < 5')).toEqual(['5 → 4', 'a < 5 → a <= 5'])
  expect(listMutants('5 < a')).toEqual(['5 → 6', '5 < a → 5 <= a'])
})

test('indexes, lengths, statuses, types and names are not mutated', () => {
  for (const source of ['a[0]', 'a.at(-1)', '({ maxLength: 5 })', 'op("a", 409)', 'type A = 5', '({ 5: a })'])
    expect(listMutants(source)).toEqual([])
})

test('the condition under which a long write lets others read is not mutated', () => {
  expect(listMutants('function* a() { if (b % 50 === 49) yield }')).toEqual([])
})

test('a mutant is active by its number, and without one the source works as before', () => {
  const text = withMutants('src/modules/x/x.ts', 'return [a < 5, 7]', [], [])
  const run = (mutant?: (id: number) => boolean): unknown => {
    const scope = { mutant }
    return new Function('a', 'globalThis', text)(5, scope)
  }
  expect(run()).toEqual([false, 7])
  expect([0, 1, 2, 3].map((chosen) => run((id) => id === chosen))).toEqual([
    [false, 7],
    [true, 7],
    [false, 8],
    [false, 6],
  ])
})

test('every skipped mutant names a text that its source contains', async () => {
  for (const { file, code } of SKIPPED)
    expect(await Bun.file(join(import.meta.dir, '../../..', file)).text()).toContain(code)
})
