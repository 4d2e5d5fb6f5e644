import { hash, verify } from '@node-rs/argon2'
import { type Names, refuseWeakPassword } from './common-passwords.ts'

/** OWASP's Argon2id parameters for passwords that people choose. RULES “Sign-in”. */
export const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** What is hashed with; tests that are not about it take less of everything (`src/testing/preload.ts`). */
export const hashing: { parameters: { memoryCost: number; timeCost: number; parallelism: number } } = {
  parameters: PARAMETERS,
}

/** The stored form of a password; about 10 ms on the thread pool. */
export const hashPassword = (password: string): Promise<string> => hash(password, hashing.parameters)

/** As `hashPassword`, for one that somebody chooses now: a 422 that names the field where it would be guessed early. */
export async function hashChosenPassword(path: string, password: string, names: Names): Promise<string> {
  refuseWeakPassword(path, password, names)
  return hashPassword(password)
}

let decoy: Promise<string> | undefined

/**
 * Whether a password matches; where there is no hash it works as
 * long and says no, so that time tells nobody which addresses exist.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('decoy')
  const matches = await verify(stored ?? (await decoy), password)
  return stored !== null && matches
}

/** Hashes that every sign-in computes. An address in more firms than this costs as many again. */
export const HASHES = 4

/**
 * Which of these hold the password. As many hashes are computed whatever
 * their number, so that time does not tell how many firms know an address.
 */
export async function matchingOf<T extends { passwordHash: string | null }>(
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
