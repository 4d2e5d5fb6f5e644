/** Lengths of IBANs by country, as the IBAN registry gives them. */
const LENGTHS: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MR: 27,
  MT: 31,
  MU: 30,
  NL: 18,
  NO: 15,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  SA: 24,
  SC: 31,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
}

/**
 * What a bank reference is: an IBAN that is right, one that is wrong, or something that has no check digits to look at.
 */
type IbanFinding = { state: 'valid' | 'wrong'; country: string } | { state: 'none' }

/** The remainder of a long decimal number by 97, digit by digit. */
const mod97 = (digits: string): number => [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0)

/** Looks at a bank reference as an IBAN: spaces and dashes do not count, nor does case. ISO 13616. */
export function checkIban(reference: string): IbanFinding {
  const plain = reference.replace(/[\s-]/g, '').toUpperCase()
  if (plain.length < 15 || plain.length > 34 || !/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(plain)) return { state: 'none' }
  const country = plain.slice(0, 2)
  const length = LENGTHS[country]
  if (length === undefined) return { state: 'none' }
  return { state: plain.length === length && mod97(digitsOf(plain)) === 1 ? 'valid' : 'wrong', country }
}

/** What the check digits are worked out of: the country and its digits at the end, letters as two digits. */
const digitsOf = (plain: string): string =>
  [...(plain.slice(4) + plain.slice(0, 4))].map((letter) => parseInt(letter, 36)).join('')

/** The IBAN of a country's own account number, with the check digits that belong to it. */
export function ibanOf(country: string, account: string): string {
  const plain = account.replaceAll(' ', '')
  return `${country}${String(98 - mod97(digitsOf(`${country}00${plain}`))).padStart(2, '0')}${plain}`
}
