import { groupDigits } from '../../../lib/text/format.ts'

/** A row has the name and index of a place of the chart, and the height of each series there. */
type BarRow = { name: string; at: number; heights: number[] }
type Texts = { texts: readonly string[] }

/** Returns the rows of a chart. Names need not be unique, so rows and series are identified by their index. */
export const barRows = (names: readonly string[], series: readonly Texts[]): BarRow[] =>
  names.map((name, at) => ({ name, at, heights: series.map(({ texts }) => Number(texts[at] ?? 0)) }))

/** Returns the text of a bar: the exact figure, not its height. */
export const barText = (one: Texts | undefined, at: number, unit: string): string =>
  `${groupDigits(one?.texts[at] ?? '0')} ${unit}`.trim()
