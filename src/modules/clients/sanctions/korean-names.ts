const FIRST_SYLLABLE = 0xac00
const INITIALS = 'g kk n d tt r m b pp s ss - j jj ch k t p h'.split(' ')
const VOWELS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ')
const FINALS = '- k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ')

/** Spellings in lists and passports that stand for one Korean sound. */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/^[lr]h?(?=[iy]|ee)/, ''],
  [/^(?:ee|yi|yee)$/, 'i'],
  [/^park$/, 'pak'],
  [/ng/g, 'N'],
  [/(?<=.)h$/, ''],
  [/sh/g, 's'],
  [/ch|j+/g, 'c'],
  [/[gq]|k+/g, 'k'],
  [/d|t+/g, 't'],
  [/b|p+/g, 'p'],
  [/ss/g, 's'],
  [/r|l+/g, 'l'],
  [/yeo|you|yoo|yo|yu/g, 'Y'],
  [/oe|we/g, 'We'],
  [/oi/g, 'We'],
  [/wo|weo/g, 'W'],
  [/eo|eu|oo|ou|o|u/g, 'u'],
  [/ae|ai|ay|ea/g, 'e'],
  [/ui|wi/g, 'i'],
  [/ee|y$/g, 'i'],
]
const hear = (word: string): string => {
  let heard = word
  for (const [spelled, sound] of SOUNDS) heard = heard.replace(spelled, sound)
  return heard
}

function hearSyllable(syllable: string): string {
  const at = (syllable.codePointAt(0) ?? FIRST_SYLLABLE) - FIRST_SYLLABLE
  const parts = [
    INITIALS[Math.floor(at / (VOWELS.length * FINALS.length))],
    VOWELS[Math.floor(at / FINALS.length) % VOWELS.length],
    FINALS[at % FINALS.length],
  ]
  return hear(parts.join('').replaceAll('-', ''))
}

const HANGUL = /[\uac00-\ud7a3]/
export const isHangul = (name: string): boolean => HANGUL.test(name)

/** The words of a Korean name in Latin letters: the family, and a given name of two syllables. */
const APART = 3
const SYLLABLE = /^[^aeiouy]{0,2}[aeiouy]{1,3}(?:n|ng|m|k|l|p|t|h|rk)?$/

/**
 * Returns how a Korean name sounds, as one word that begins with the family: `김정은`, `Kim Jong Un` and `Jeong-eun Gim`
 * sound the same. `words` are those of its Latin form in their order; since the family may be at either end, a Latin
 * name has two results.
 */
export function koreanForms(name: string, words: readonly string[]): string[] {
  if (isHangul(name))
    return [
      [...name]
        .filter((letter) => HANGUL.test(letter))
        .map(hearSyllable)
        .join(''),
    ]
  if (words.length < 2 || words.length > APART + 1) return []
  const heard = words.map(hear)
  return [heard.join(''), [heard.at(-1), ...heard.slice(0, -1)].join('')]
}

/** Returns whether a Latin name is written as Korean ones are: a word for each syllable. */
export const isSyllables = (words: readonly string[]): boolean =>
  words.length === APART && words.every((word) => SYLLABLE.test(word))
