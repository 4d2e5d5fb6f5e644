import { Type } from '@sinclair/typebox'
import { say } from '../../../words/say.ts'
import { nameSchema } from '../../wire/schema-name.ts'

/** Most values of one filter. */
const MOST_VALUES = 20

/** One value, or several separated by commas. */
type Listed<W extends string> = W | `${W},${string}`

const listed = <W extends string>(one: string, longest: number, of: string, example: string) =>
  Type.Unsafe<Listed<W>>(
    Type.String({
      pattern: `^(${one})(,(${one})){0,${MOST_VALUES - 1}}$`,
      maxLength: MOST_VALUES * (longest + 1) - 1,
      description: say('problems.wish.several', { wish: of, most: MOST_VALUES }),
      examples: [example],
    }),
  )

/** One of a list of words, or several of them separated by commas, as in an address. */
export const SeveralOf = <const W extends readonly [string, ...string[]]>(words: W) => {
  const longest = Math.max(...words.map((word) => word.length))
  return listed<W[number]>(
    words.join('|'),
    longest,
    say('problems.wish.one_of', { values: words.join(', ') }),
    words[0],
  )
}

/** One code, such as a currency, or several; `pattern` has neither anchors nor groups. */
const severalCodes = (pattern: string, longest: number, of: string, example: string) =>
  listed<string>(pattern, longest, of, example)

/** One currency, or several. */
export const Currencies = nameSchema('Currencies', severalCodes('[A-Z]{3,5}', 5, say('problems.wish.currency'), 'EUR'))
/** One country, or several. */
export const Countries = nameSchema('Countries', severalCodes('[A-Z]{2}', 2, say('problems.wish.country'), 'CY'))

/** The value of a filter by colleague for rows that have none. */
export const NOBODY = 'none'
/** One colleague by id, or several. */
export const Colleagues = nameSchema('Colleagues', severalCodes('[^,]{1,64}', 64, say('problems.wish.user'), 'usr_1'))

/** Returns the values of such a list in an address. */
export const splitValues = (text: string): string[] => text.split(',')
