import { hash, verify } from '@node-rs/argon2'
import { type Names, refuseWeakPassword } from './common-passwords.ts'

/** OWASP recommends these Argon2id parameters for passwords that people choose. RULES “Sign-in”. */
export const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** The parameters in use; tests that are about other matters lower them (`src/testing/preload.ts`). */
export const hashing: { parameters: { memoryCost: number; timeCost: number; parallelism: number } } = {
  parameters: PARAMETERS,
}

/**
 * Returns a password in one form for all keyboards: one of a telephone writes é as two characters, another's blank is a
 * wide one. RFC 8265, OpaqueString.
 */
const normalizePassword = (password: string): string => password.replace(/\p{Zs}/gu, ' ').normalize('NFC')

/** Returns the stored form of a password; it takes about 10 ms on the thread pool. */
export const hashPassword = (password: string): Promise<string> => hash(normalizePassword(password), hashing.parameters)

/** Hashes a newly chosen password; a 422 that names the field refuses one that would be guessed early. */
export async function hashChosenPassword(path: string, password: string, names: Names): Promise<string> {
  refuseWeakPassword(path, normalizePassword(password), names)
  return hashPassword(password)
}

let decoy: Promise<string> | undefined

/**
 * Returns whether a password matches. Without a stored hash it takes as long and returns false, so that timing does not
 * reveal which addresses exist.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('decoy')
  const [usual = password, ...former] = listForms(password)
  let matches = await verify(stored ?? (await decoy), usual)
  // how many hashes are computed depends on the password that was typed and on nothing that is stored
  for (const form of former) matches = (await verify(stored ?? (await decoy), form)) || matches
  return stored !== null && matches
}

/** The form of a password, and those in which it may have been hashed before all were normalized. */
const listForms = (password: string): string[] => [
  ...new Set([normalizePassword(password), password, password.normalize('NFC'), password.normalize('NFD')]),
]

/** Returns the hash of a right password whose stored one is of another form; null where there is nothing to renew. */
export async function renewHash(stored: string | null, password: string): Promise<string | null> {
  const isUsual = listForms(password).length === 1
  return isUsual || stored === null || (await verify(stored, normalizePassword(password)))
    ? null
    : hashPassword(password)
}

/** Every sign-in computes this many hashes, and as many again for an address in more firms. */
export const HASHES = 4

/**
 * Returns the candidates with this password. The number of hashes does not depend on their number, so that timing does
 * not reveal how many firms know an address.
 */
export async function filterByPassword<T extends { passwordHash: string | null }>(
  candidates: readonly T[],
  password: string,
  check = verifyPassword,
): Promise<T[]> {
  const matching: T[] = []
  const rounds = Math.max(1, Math.ceil(candidates.length / HASHES)) * HASHES
  for (let index = 0; index < rounds; index += 1) {
    const candidate = candidates[index]
    if ((await check(candidate?.passwordHash ?? null, password)) && candidate) matching.push(candidate)
  }
  return matching
}
