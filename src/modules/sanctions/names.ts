// Letters that NFKD does not take apart, and scripts in their common Latin spelling: rough on purpose, the matcher forgives vowels.
const LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'ß ss',
    'æ ae',
    'œ oe',
    'ø o',
    'ł l',
    'đ d',
    'ð d',
    'þ th',
    'ı i',
    'ħ h',
    'а a',
    'б b',
    'в v',
    'г g',
    'ґ g',
    'д d',
    'е e',
    'є ye',
    'ж zh',
    'з z',
    'и i',
    'і i',
    'к k',
    'л l',
    'м m',
    'н n',
    'о o',
    'п p',
    'р r',
    'с s',
    'т t',
    'у u',
    'ф f',
    'х kh',
    'ц ts',
    'ч ch',
    'ш sh',
    'щ shch',
    'ъ ',
    'ы y',
    'ь ',
    'э e',
    'ю yu',
    'я ya',
    'ђ dj',
    'ј j',
    'љ lj',
    'њ nj',
    'ћ c',
    'џ dz',
    'α a',
    'β v',
    'γ g',
    'δ d',
    'ε e',
    'ζ z',
    'η i',
    'θ th',
    'ι i',
    'κ k',
    'λ l',
    'μ m',
    'ν n',
    'ξ x',
    'ο o',
    'π p',
    'ρ r',
    'σ s',
    'ς s',
    'τ t',
    'υ y',
    'φ f',
    'χ ch',
    'ψ ps',
    'ω o',
    'ا a',
    'ب b',
    'ت t',
    'ث th',
    'ج j',
    'ح h',
    'خ kh',
    'د d',
    'ذ dh',
    'ر r',
    'ز z',
    'س s',
    'ش sh',
    'ص s',
    'ض d',
    'ط t',
    'ظ z',
    'ع a',
    'غ gh',
    'ف f',
    'ق q',
    'ك k',
    'ک k',
    'ل l',
    'م m',
    'ن n',
    'ه h',
    'ة a',
    'و w',
    'ي y',
    'ی y',
    'ى a',
    'ء ',
    'پ p',
    'چ ch',
    'ژ zh',
    'گ g',
  ].map((pair): [string, string] => {
    const [letter = '', latin = ''] = pair.split(' ')
    return [letter, latin]
  }),
)
/** Words that say nothing about who somebody is. */
const TITLES = new Set([
  'mr',
  'mrs',
  'ms',
  'dr',
  'prof',
  'sheikh',
  'haji',
  'al',
  'el',
  'bin',
  'ibn',
  'abu',
  'de',
  'von',
  'van',
  'the',
  'of',
])

/** A name as sorted Latin words: `Путин, Владимир` → `putin vladimir`. Titles and particles go unless nothing else is left. */
export function nameTokens(name: string): string[] {
  const latin = [...name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')]
    .map((letter) => LETTERS[letter] ?? letter)
    .join('')
  const words = latin.split(/[^a-z0-9]+/).filter((word) => word !== '')
  const telling = words.filter((word) => !TITLES.has(word) && word.length > 1)
  return (telling.length > 0 ? telling : words).sort()
}

/** Jaro-Winkler similarity of two words, 0–1: forgives swaps and endings, counts a common beginning. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1)
  const taken = new Array<boolean>(b.length).fill(false)
  const common: string[] = []
  for (let i = 0; i < a.length; i++) {
    for (let j = Math.max(0, i - reach); j < Math.min(b.length, i + reach + 1); j++) {
      if (!taken[j] && a[i] === b[j]) {
        taken[j] = true
        common.push(a[i] ?? '')
        break
      }
    }
  }
  const matches = common.length
  if (matches === 0) return 0
  let swapped = 0
  let next = 0
  for (let j = 0; j < b.length; j++) {
    if (!taken[j]) continue
    if (b[j] !== common[next]) swapped += 1
    next += 1
  }
  const jaro = (matches / a.length + matches / b.length + (matches - swapped / 2) / matches) / 3
  let prefix = 0
  while (prefix < 4 && a[prefix] !== undefined && a[prefix] === b[prefix]) prefix += 1
  return jaro + prefix * 0.1 * (1 - jaro)
}
