import { groupDigits } from '../../../lib/text/format.ts'

/** What a chart draws at one place: its name, the place itself, and how high each series is there. */
type BarRow = { name: string; at: number; heights: number[] }
type Texts = { texts: readonly string[] }

/** The rows of a chart. Two of them may have one name, and a series may be called anything, so both go by place. */
export const barRows = (names: readonly string[], series: readonly Texts[]): BarRow[] =>
  names.map((name, at) => ({ name, at, heights: series.map(({ texts }) => Number(texts[at] ?? 0)) }))

/** What a bar says of itself: the exact text, not its height. */
export const barText = (one: Texts | undefined, at: number, unit: string): string =>
  `${groupDigits(one?.texts[at] ?? '0')} ${unit}`.trim()
