/** Matches country codes of two digits. The codes 1 and 7 have one digit, and all others have three. */
const TWO_DIGITS = /^(?:20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/**
 * Returns a phone number in groups that can be read aloud: “+44 207 946 0011”. Anything else, such as a number of which
 * only the end is shown, stays as it is.
 */
export const phoneText = (phone: string): string => {
  const digits = /^\+(\d{8,15})$/.exec(phone)?.[1]
  if (digits === undefined) return phone
  const code = /^[17]/.test(digits) ? 1 : TWO_DIGITS.test(digits) ? 2 : 3
  const groups = digits.slice(code).match(/\d{3}(?=\d{3})|\d{3,4}$|\d+/g) ?? []
  return [`+${digits.slice(0, code)}`, ...groups].join(' ')
}
