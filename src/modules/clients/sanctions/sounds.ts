/**
 * The sounds of consonants, one sign for each, whatever the script: C as in church, S as in sheep, Z as in tsar, x as
 * in loch. The other capitals are letters with two or three possible sounds: B is b or v, D is d or z, K is k or h, P
 * is p or f, Q is k or g, T is t or s.
 */
const ABJAD: ReadonlyMap<string, string> = new Map(
  [
    'ب:b پ:p تطٹة:t ث:T ج:j ح:h خ:x دڈ:d ضذظ:D رڑ:r ز:z سص:s ش:S غگ:g فڤ:f ق:Q كک:k ل:l م:m نں:n هھہ:h چ:C ژ:j',
    'ב:B ג:g ד:d ה:h ז:z חכך:K טת:t ל:l מם:m נן:n ס:s פף:P צץ:Z ק:k ר:r ש:S',
  ]
    .join(' ')
    .split(' ')
    .flatMap((line) => {
      const [letters = '', sign = ''] = line.split(':')
      return [...letters].map((letter): [string, string] => [letter, sign])
    }),
)
const WAW = /^[وו]/
/** The signs of vowels, and the sign that only makes a word longer. */
const MARKS = /[\u0591-\u05c7\u064b-\u065f\u0670\u0640]/g

export const isAbjad = (word: string): boolean => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(word)
export const withoutMarks = (word: string): string => word.replace(MARKS, '')

/** Returns the consonants of a word in Arabic or Hebrew letters; `a` stands for any vowel at the word's beginning. */
export function abjadConsonants(word: string): string {
  const signs = [...word].map((letter) => ABJAD.get(letter) ?? '')
  const [first = ''] = signs
  const begun = first === '' ? (WAW.test(word) ? 'v' : 'a') : ''
  // an h or t at the end of names such as Fatima and Abdullah is written in some spellings only
  return (
    begun +
    signs
      .join('')
      .replace(/(?<=.)h$/, '')
      .replace(/t$/, word.endsWith('ة') ? '' : 't')
  )
}

/** Latin spellings of the same sound, the longer ones first. */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[aeiou])gg(?=[aeiou])/g, 'ng'],
  [/(?<=[oe])ff$/, 'v'],
  [/(.)\1+/g, '$1'],
  // how Greek writes b, d and g, and how the Greek forms of George and John begin
  [/^mp|(?<=[aeiou])mp(?=[aeiou])/g, 'b'],
  [/^nt/, 'd'],
  [/^gk/, 'g'],
  [/^g(?=[ei][aou])/, 'i'],
  [/^oi/, 'i'],
  [/ou(?=[aei])/g, 'w'],
  [/^c(?=v)|t[sz](?=h)/g, 'Z'],
  [/dzh|dj|zh/g, 'j'],
  [/shch|sch|sh/g, 'S'],
  [/tsch|tch/g, 'C'],
  [/t[sz]/g, 'Z'],
  [/kh/g, 'x'],
  [/ck|q|ch(?=[^aeiouy])/g, 'k'],
  [/ch/g, 'C'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/ph/g, 'f'],
  [/([tdg])h/g, '$1'],
  [/w/g, 'v'],
  [/oh(?=[^aeiouy]|$)/g, 'o'],
  [/(?<=[aeiouy])h$/, ''],
]
const VOWELS = /[aeiouy]+/g

/** A word's sound: its consonants, and a sign for the vowels before, between and after them. */
type Sound = { consonants: string; vowels: string }

/** Returns one sign for vowels that lists do not tell apart: o and u, i and y; `e` stands for any vowel. */
function vowelSign(run: string): string {
  if (run === '') return '-'
  if (/^[iy]+o?[ae]/.test(run)) return 'e'
  if (/[aeiou]y[aeou]/.test(run)) return 'y'
  if (/a[ou]|[ou]a/.test(run)) return 'o'
  if (/[ou]/.test(run)) return 'u'
  if (/[iy]/.test(run)) return 'i'
  return run.includes('a') ? 'a' : 'e'
}

/** Returns the sound of a word in small Latin letters. */
export function latinSound(word: string): Sound {
  // x is written out as ks before h and similar letters become signs of their own
  let heard = word.replace(/x/g, 'ks').replace(/ee/g, 'iy').replace(/oo/g, 'u')
  for (const [spelled, sound] of SOUNDS) heard = heard.replace(spelled, sound)
  return {
    consonants: (/^[aeiouy]/.test(heard) ? 'a' : '') + heard.replace(VOWELS, ''),
    vowels: heard
      .split(/[^aeiouy]/)
      .map(vowelSign)
      .join(''),
  }
}

const pairs = (groups: string): ReadonlySet<string> =>
  new Set(groups.split('|').flatMap((group) => [...group].flatMap((a) => [...group].map((b) => a + b))))
/** Pairs of signs with the same sound, and groups of signs that are often confused. */
const SAME = pairs('Bb|Bv|Dd|Dz|Kk|Kx|KC|Kh|Pp|Pf|Qk|Qg|Tt|Ts|CS|jg|ja|Zz|Zs')
const NEAR = pairs('bpvf|dtz|ts|kgxhC|sSzZCj|ga')
/** What it costs to leave out a consonant; h and v are cheap, since they are often not written. */
const missing = (sign: string): number => (sign === 'h' || sign === 'v' || sign === 'a' ? 0.3 : 1)
const change = (one: string, other: string): number => {
  if (one === other) return 0
  return SAME.has(one + other) ? 0.1 : NEAR.has(one + other) ? 0.4 : 1
}

/** Returns the least cost of turning one text into another by leaving out, adding and exchanging signs. */
export function editDistance(a: string, b: string, leaveOut: typeof missing, exchange: typeof change): number {
  let start = 0
  let cost = 0
  let row = [...b].map((theirs) => {
    cost += leaveOut(theirs)
    return cost
  })
  for (const ours of a) {
    let before = start
    start += leaveOut(ours)
    cost = start
    row = row.map((above, at) => {
      const theirs = b.charAt(at)
      cost = Math.min(before + exchange(ours, theirs), above + leaveOut(ours), cost + leaveOut(theirs))
      before = above
      return cost
    })
  }
  return cost
}

/** Returns the similarity of two words by their consonants, 0–1. */
export const consonantSimilarity = (a: string, b: string): number =>
  a === b ? 1 : 1 - editDistance(a, b, missing, change) / Math.max(a.length, b.length)

const COARSE: ReadonlyMap<string, string> = new Map(
  'pb vb fb td Ss zs Zs Cs js gk xk Bb Dd Kk Pb Qk Td'.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]),
)
/** Returns consonants with the same sign for those that lists and languages confuse. */
export const coarse = (consonants: string): string =>
  consonants.replace(/(?<=.)[hv]/g, '').replace(/./g, (sign) => COARSE.get(sign) ?? sign)

/** The second sound of signs that have two. */
const ELSE: ReadonlyMap<string, string> = new Map([
  ['D', 'z'],
  ['T', 's'],
  ['x', 'h'],
  ['C', 'k'],
  ['B', 'v'],
  ['K', 'h'],
  ['j', 'g'],
  ['z', 'd'],
])
/** Returns a word's possible beginnings: its first two consonants, coarsely, in each way in which they may sound. */
export function listBeginnings(consonants: string): string[] {
  const ways = [consonants.slice(0, 3)]
  const [first = '', second = ''] = consonants
  const [one, two] = [ELSE.get(first), ELSE.get(second)]
  if (one) ways.push(one + consonants.slice(1, 3))
  if (two) ways.push(first + two + consonants.slice(2, 3))
  if (first === 'j') ways.push(`a${consonants.slice(1, 3)}`)
  return [...new Set(ways.map((way) => coarse(way).slice(0, 2)))]
}

/**
 * Returns whether vowels agree at each place. Inside a word an i or e may be left out. In words of one syllable they
 * must be the same, since Li, Le and Lu are three names.
 */
export function vowelsAgree(a: string, b: string): boolean {
  if (a === b) return true
  if (a.length !== b.length || (isSyllable(a) && isSyllable(b))) return false
  const end = a.length - 1
  return [...a].every((one, at) => {
    const both = one + b.charAt(at)
    return one === b[at] || both.includes('e') || (at < end && /^(?:-i|i-)$/.test(both))
  })
}
export const isSyllable = (vowels: string): boolean => vowels.replaceAll('-', '').length === 1
