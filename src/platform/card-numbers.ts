import { withoutIbans } from './iban.ts'

/** Schemes by how their numbers begin and how long they are. ISO/IEC 7812. */
const SCHEMES: readonly (readonly [name: string, form: RegExp])[] = [
  ['Visa', /^4(?:\d{12}|\d{15}|\d{18})$/],
  ['Mastercard', /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/],
  ['Amex', /^3[47]\d{13}$/],
  ['Diners', /^3(?:0[0-5]|[689]\d)\d{11,16}$/],
  ['JCB', /^35(?:2[89]|[3-8]\d)\d{12,15}$/],
  ['Discover', /^6(?:011|4[4-9]\d|5\d\d)\d{12,15}$/],
  ['UnionPay', /^(?:62|81)\d{14,17}$/],
  ['Mir', /^220[0-4]\d{12,15}$/],
  ['Maestro', /^(?:5[06-9]|6\d)\d{11,17}$/],
]
const SHORTEST = 13
const LONGEST = 19

/** Digits as people write a card number: in one piece, or in groups of four and more, the last of which may be less. */
const RUN = /(?<!\d)\d{4,}(?:[ -]\d{4,})*(?:[ -]\d{1,3})?(?!\d)/g

/** The check digit of a card number. ISO/IEC 7812-1, annex B. */
function isChecked(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

const schemeOf = (digits: string): string | undefined =>
  digits.length >= SHORTEST && digits.length <= LONGEST && isChecked(digits)
    ? SCHEMES.find(([, form]) => form.test(digits))?.[0]
    : undefined

/** A run of groups with the first card number among them as its scheme and last four digits; undefined without one. */
function shortened(run: string): string | undefined {
  const groups = run.split(/([ -])/)
  for (let from = 0; from < groups.length; from += 2) {
    let digits = ''
    for (let to = from; to < groups.length && digits.length <= LONGEST; to += 2) {
      digits += groups[to]
      const scheme = schemeOf(digits)
      if (scheme === undefined) continue
      const rest = groups.slice(to + 1).join('')
      return `${groups.slice(0, from).join('')}${scheme} ${digits.slice(-4)}${shortened(rest) ?? rest}`
    }
  }
  return undefined
}

/** As people read it: one kind of blank, dash and digit, and nothing that is not seen. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s/g, ' ')

/** Whether a text holds the whole number of a payment card. RULES “Card numbers”. */
export function holdsCardNumber(text: string): boolean {
  if (text.length < SHORTEST) return false
  const runs = withoutIbans(plain(text)).match(RUN) ?? []
  return runs.some((run) => shortened(run) !== undefined)
}

/** The same text with scheme and last four digits in the place of each whole card number: for what must not be lost. */
export const withoutCardNumbers = (text: string): string =>
  holdsCardNumber(text) ? plain(text).replace(RUN, (run) => shortened(run) ?? run) : text

const FOUR = /^(\D*)(\d{4})$/
/** A card as it is kept: its scheme, where one is named, and its last four digits. Undefined for any other text. */
export function shortCard(text: string): string | undefined {
  const [, before = '', four] = FOUR.exec(plain(text).trim()) ?? []
  if (four === undefined) return undefined
  const scheme = (before.match(/\p{L}+/gu) ?? []).filter((word) => !/^x+$/i.test(word))
  return [...scheme, four].join(' ')
}
