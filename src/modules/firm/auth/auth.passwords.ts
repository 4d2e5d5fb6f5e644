import { hash, verify } from '@node-rs/argon2'
import { type Names, refuseWeakPassword } from './common-passwords.ts'

/** OWASP recommends these Argon2id parameters for passwords that people choose. RULES “Sign-in”. */
export const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** The parameters in use; tests of other matters lower them (`src/testing/preload.ts`). */
export const hashing: { parameters: { memoryCost: number; timeCost: number; parallelism: number } } = {
  parameters: PARAMETERS,
}

/**
 * Returns a password in the same form from all keyboards: some write é as two characters, and some write a wide blank.
 * RFC 8265, OpaqueString.
 */
const normalizePassword = (password: string): string => password.replace(/\p{Zs}/gu, ' ').normalize('NFC')

/** Returns the stored form of a password; it takes about 10 ms on the thread pool. */
export const hashPassword = (password: string): Promise<string> => hash(normalizePassword(password), hashing.parameters)

/** Hashes a newly chosen password; one that guessers would try early is a 422 that names the field. */
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
  // the number of hashes depends only on the typed password, and on nothing that is stored
  for (const form of former) matches = (await verify(stored ?? (await decoy), form)) || matches
  return stored !== null && matches
}

/** Returns the form of a password, and the forms in which it may have been hashed before passwords were normalized. */
const listForms = (password: string): string[] => [
  ...new Set([normalizePassword(password), password, password.normalize('NFC'), password.normalize('NFD')]),
]

/** Returns a new hash for a right password if the stored hash is of another form of it; null otherwise. */
export async function renewHash(stored: string | null, password: string): Promise<string | null> {
  const isUsual = listForms(password).length === 1
  return isUsual || stored === null || (await verify(stored, normalizePassword(password)))
    ? null
    : hashPassword(password)
}

/** Every sign-in computes this many hashes, or twice as many if more firms know the address. */
export const HASHES = 4

/**
 * Returns the candidates who have this password. The number of hashes does not depend on the number of candidates, so
 * that timing does not reveal how many firms know an address.
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
