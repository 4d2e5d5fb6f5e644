/** The schemes by beginning and length of their numbers. ISO/IEC 7812. */
const SCHEMES: readonly (readonly [name: string, form: RegExp])[] = [
  // numbers of 13 digits are no longer issued, and many phones have as many
  ['Visa', /^4(?:\d{15}|\d{18})$/],
  ['Mastercard', /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/],
  ['Amex', /^3[47]\d{13}$/],
  ['Diners', /^3(?:0[0-5]|[689]\d)\d{11,16}$/],
  ['JCB', /^35(?:2[89]|[3-8]\d)\d{12,15}$/],
  ['Discover', /^6(?:011|4[4-9]\d|5\d\d)\d{12,15}$/],
  ['UnionPay', /^(?:62|81)\d{14,17}$/],
  ['Mir', /^220[0-4]\d{12,15}$/],
  ['Maestro', /^(?:5[06-9]|6\d)\d{14,17}$/],
]

const BETWEEN = '[ ._/·-]'
/** Groups as printed on cards: four by four, or four, six and the rest. */
const GROUPS = `\\d{4}(${BETWEEN})\\d{4}\\1\\d{4}\\1\\d{4}|\\d{4}(${BETWEEN})\\d{6}\\2\\d{4,5}`
/** Groups beside digits of a longer number or an IBAN do not count; groups beside an expiry date do. */
const PRINTED_FORM = `(?<!\\d{4}${BETWEEN}|\\p{L}\\d\\d${BETWEEN}(?:\\p{L}{4}${BETWEEN})?)(?:${GROUPS})(?!${BETWEEN}\\d{4})`
/** A letter or a plus directly beside the digits makes them an identifier or a phone. */
const bounded = (form: string): RegExp => new RegExp(`(?<![\\p{L}\\d+])(?:${form})(?![\\p{L}\\d])`, 'gu')
const PRINTED = bounded(PRINTED_FORM)
const WRITTEN = bounded(`${PRINTED_FORM}|\\d{14,19}`)

/** Returns whether the check digit of a card number is right. ISO/IEC 7812-1, annex B. */
function isChecked(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Returns a card number as its scheme and last four digits; undefined for other digits. */
function shortened(run: string): string | undefined {
  const digits = run.replace(/\D/g, '')
  const scheme = isChecked(digits) ? SCHEMES.find(([, form]) => form.test(digits))?.[0] : undefined
  return scheme === undefined ? undefined : `${scheme} ${digits.slice(-4)}`
}

/** Returns the value of a decimal digit of any script, in which the ten digits follow one another. */
function asciiDigit(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}

/** Returns the text with one kind of blank, dash and digit, and without invisible characters. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit)
    .replace(/\s+/g, ' ')
    .replace(/ ?[\p{Pd}\u2212] ?/gu, '-')

const holds = (text: string, form: RegExp): boolean =>
  text.length >= 14 && [...plain(text).matchAll(form)].some(([run]) => shortened(run) !== undefined)

/** Returns whether a text has the whole number of a payment card. RULES “Card numbers”. */
export const holdsCardNumber = (text: string): boolean => holds(text, WRITTEN)

/**
 * Returns whether a payment reference or an account is a card number: these are often digits in one piece, some with a
 * valid check digit, so only the printed form of a card counts.
 */
export const holdsPrintedCard = (text: string): boolean => holds(text, PRINTED)

/** Replaces each whole card number by its scheme and last four digits, in a text that must be kept. */
export const withoutCardNumbers = (text: string): string =>
  holdsCardNumber(text) ? plain(text).replace(WRITTEN, (run) => shortened(run) ?? run) : text

const FOUR = /^(\D*)(\d{4})$/
/** Returns a card in stored form: its scheme, if given, and its last four digits. Undefined for any other text. */
export function shortCard(text: string): string | undefined {
  const [, before = '', four] = FOUR.exec(plain(text).trim()) ?? []
  if (four === undefined) return undefined
  const scheme = (before.match(/\p{L}+/gu) ?? []).filter((word) => !/^x+$/i.test(word))
  return [...scheme, four].join(' ')
}
