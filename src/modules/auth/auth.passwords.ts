import { hash, verify } from '@node-rs/argon2'

// OWASP's Argon2id parameters for passwords that people choose. DESIGN §6.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** The stored form of a password; about 10 ms on the thread pool. */
export const hashPassword = (password: string): Promise<string> => hash(password, PARAMETERS)

let decoy: Promise<string> | undefined

/** Whether a password matches; where there is no hash it works as long and says no, so that time tells nobody which addresses exist. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no password at all')
  const matches = await verify(stored ?? (await decoy), password)
  return stored !== null && matches
}
