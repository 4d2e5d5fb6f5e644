import { Type } from '@sinclair/typebox'

/** Values that one filter takes at most. */
const MOST_VALUES = 20

/** One value, or several with commas between them. */
type Listed<W extends string> = W | `${W},${string}`

const listed = <W extends string>(one: string, longest: number, of: string, example: string) =>
  Type.Unsafe<Listed<W>>(
    Type.String({
      pattern: `^(${one})(,(${one})){0,${MOST_VALUES - 1}}$`,
      maxLength: MOST_VALUES * (longest + 1) - 1,
      description: `${of}; or up to ${MOST_VALUES} of them, comma-separated`,
      examples: [example],
    }),
  )

/** One of a list of words, or several of them with commas between, as an address has them. */
export const SeveralOf = <const W extends readonly [string, ...string[]]>(words: W) => {
  const longest = Math.max(...words.map((word) => word.length))
  return listed<W[number]>(words.join('|'), longest, `one of ${words.join(', ')}`, words[0])
}

/** The values that a list of them in an address names. */
export const valuesOf = (text: string): string[] => text.split(',')
