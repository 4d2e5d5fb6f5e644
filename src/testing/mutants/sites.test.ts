import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Mutant, withMutants } from './sites.ts'
import { SKIPPED } from './skipped.ts'

/** What a source becomes, as `before → after`. */
function told(source: string): string[] {
  const all: Mutant[] = []
  const text = withMutants('src/modules/x/x.ts', source, all, [])
  expect(() => new Bun.Transpiler({ loader: 'ts' }).transformSync(text)).not.toThrow()
  return all.map(({ before, after }) => `${before} → ${after}`)
}

test('constants change by one, comparisons their border, roundings their way', () => {
  expect(told('const a = 72 * HOUR')).toEqual(['72 → 73', '72 → 71'])
  expect(told('const a = 10_000n')).toEqual(['10_000n → 10001n', '10_000n → 9999n'])
  expect(told('const a = 0.88')).toEqual(['0.88 → 0.89', '0.88 → 0.87'])
  expect(told('const a = b === c')).toEqual(['b === c → b !== c'])
  expect(told('Math.ceil(a)')).toEqual(['Math.ceil → Math.floor', 'Math.ceil → Math.round'])
  expect(told("apply(a, 'down')")).toEqual(["'down' → 'half-even'", "'down' → 'up'"])
  expect(told('divHalfEven(a, b)')).toEqual(['divHalfEven(a, b) → rounded down'])
})

test('a constant that is compared changes the way that the other comparison does not', () => {
  expect(told('a < 5')).toEqual(['5 → 4', 'a < 5 → a <= 5'])
  expect(told('5 < a')).toEqual(['5 → 6', '5 < a → 5 <= a'])
})

test('places, lengths, statuses, types and names are no figures', () => {
  for (const source of ['a[0]', 'a.at(-1)', '({ maxLength: 5 })', 'op("a", 409)', 'type A = 5', '({ 5: a })'])
    expect(told(source)).toEqual([])
})

test('when a long write lets others read is no rule', () => {
  expect(told('function* a() { if (b % 50 === 49) yield }')).toEqual([])
})

test('a mutant is chosen by its number, and without a choice the source does what it did', () => {
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

test('what is left out stands in its source', async () => {
  for (const { file, code } of SKIPPED)
    expect(await Bun.file(join(import.meta.dir, '../../..', file)).text()).toContain(code)
})
