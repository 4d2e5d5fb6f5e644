import { dictionary } from '@zxcvbn-ts/language-common'

/**
 * The list of common passwords as deflated text in base64, put into the program when it is bundled:
 * the package itself would be twenty times as large there. Left out is what cannot matter: a
 * password has ten characters, and of shorter entries only words are looked for inside of one.
 */
export function packedPasswords(): string {
  const entries = dictionary['passwords-common'].map((entry) => String(entry).toLowerCase())
  const useful = entries.filter((entry) => entry.length >= 10 || /^\p{L}{4,}$/u.test(entry))
  return Buffer.from(Bun.deflateSync([...new Set(useful)].sort().join('\n'), { level: 9 })).toString('base64')
}
