import { randomBytes } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createSecretBox } from '../secrets.ts'
import type { Store } from './store.ts'

const NAME = 'recovery-key.json'
const CONTEXT = 'recovery key'
/** RFC 9106, the second recommended choice: a stolen replica is guessed at for as long as its thief likes. */
const COST = { memoryCost: 65536, timeCost: 3, parallelism: 4, outputLen: 32 }

const Sealed = Type.Object({
  argon2id: Type.Object({
    salt: Type.String(),
    memoryCost: Type.Integer(),
    timeCost: Type.Integer(),
    parallelism: Type.Integer(),
  }),
  sealed: Type.String(),
})

const keyOf = async (passphrase: string, salt: Uint8Array, cost: Partial<typeof COST> = {}): Promise<Uint8Array> =>
  new Uint8Array(await hashRaw(passphrase.normalize('NFKC'), { ...COST, ...cost, salt }))

/**
 * Reads the key of the installation from beside its replica, where it lies sealed with a passphrase; undefined where
 * none lies there. Throws in words where the passphrase is another one.
 */
export async function readSealedKey(store: Store, passphrase: string): Promise<Uint8Array | undefined> {
  const bytes = await store.read(NAME)
  if (!bytes) return undefined
  const { argon2id, sealed } = Value.Decode(Sealed, JSON.parse(new TextDecoder().decode(bytes)))
  const { salt, ...cost } = argon2id
  const box = createSecretBox(await keyOf(passphrase, Buffer.from(salt, 'base64'), cost))
  try {
    return box.open(Buffer.from(sealed, 'base64'), CONTEXT)
  } catch {
    throw new Error('The passphrase does not open the key that lies beside the replica.')
  }
}

/** Puts the key of the installation beside its replica, sealed with a passphrase, unless it lies there so already. */
export async function keepSealedKey(store: Store, passphrase: string, key: Uint8Array): Promise<void> {
  const known = await readSealedKey(store, passphrase).catch(() => undefined)
  if (known && Buffer.from(known).equals(key)) return
  const salt = randomBytes(16)
  const box = createSecretBox(await keyOf(passphrase, salt))
  const { memoryCost, timeCost, parallelism } = COST
  const note = {
    argon2id: { salt: salt.toString('base64'), memoryCost, timeCost, parallelism },
    sealed: Buffer.from(box.seal(key, CONTEXT)).toString('base64'),
  }
  await store.write(NAME, new TextEncoder().encode(`${JSON.stringify(note, null, 1)}\n`))
}
