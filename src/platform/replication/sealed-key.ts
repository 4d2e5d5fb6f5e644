import { randomBytes } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createSecretBox } from '../secrets.ts'
import type { Store } from './store.ts'

const NAME = 'recovery-key.json'
/** The folder for the keys of other installations that replicated to the same place. */
const OTHERS = 'recovery-keys'
const CONTEXT = 'recovery key'
/** RFC 9106, the second recommended choice: a thief of a replica can guess passphrases without a limit. */
const COST = { memoryCost: 65536, timeCost: 3, parallelism: 4, outputLen: 32 }

/** The largest cost that a stored note may have: without it a forged note could keep the server computing for ever. */
const MOST = { memoryCost: COST.memoryCost * 4, timeCost: 12, parallelism: 16 }
/** A place has one key for each machine that replicated there. Each attempt takes about a second, so it ends at 16. */
const MOST_KEYS = 16
const MOST_TEXT = 1024

const Sealed = Type.Object({
  /** The id of the key. */
  of: Type.String({ maxLength: MOST_TEXT }),
  argon2id: Type.Object({
    salt: Type.String({ minLength: 11, maxLength: MOST_TEXT }),
    memoryCost: Type.Integer({ minimum: 8, maximum: MOST.memoryCost }),
    timeCost: Type.Integer({ minimum: 1, maximum: MOST.timeCost }),
    parallelism: Type.Integer({ minimum: 1, maximum: MOST.parallelism }),
  }),
  sealed: Type.String({ maxLength: MOST_TEXT }),
})

const deriveKey = async (passphrase: string, salt: Uint8Array, cost: Partial<typeof COST> = {}): Promise<Uint8Array> =>
  new Uint8Array(await hashRaw(passphrase.normalize('NFKC'), { ...COST, ...cost, salt }))

/** Reads the note under a name; null if it has another shape, undefined if there is none. */
async function noteAt(store: Store, name: string): Promise<Static<typeof Sealed> | null | undefined> {
  const bytes = await store.read(name)
  if (!bytes) return undefined
  try {
    return Value.Decode(Sealed, JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return null
  }
}

/** Opens a sealed key; undefined if the passphrase is another one. */
async function opened(
  { argon2id, sealed }: Static<typeof Sealed>,
  passphrase: string,
): Promise<Uint8Array | undefined> {
  const { salt, memoryCost, timeCost, parallelism } = argon2id
  const cost = { memoryCost, timeCost, parallelism }
  const box = createSecretBox(await deriveKey(passphrase, Buffer.from(salt, 'base64'), cost))
  try {
    return box.open(Buffer.from(sealed, 'base64'), CONTEXT)
  } catch {
    return undefined
  }
}

/**
 * Reads the keys of installations that are stored beside their replica, sealed with a passphrase: usually one, and
 * empty if there is none. Throws an error for the operator if there are keys and the passphrase opens none of them.
 */
export async function readSealedKeys(store: Store, passphrase: string): Promise<Uint8Array[]> {
  const keys: Uint8Array[] = []
  const names = [NAME, ...(await store.list(OTHERS)).slice(0, MOST_KEYS)]
  let isAny = false
  for (const name of names) {
    const note = await noteAt(store, name)
    const key = note && (await opened(note, passphrase))
    if (note !== undefined) isAny = true
    if (key) keys.push(key)
  }
  if (isAny && keys.length === 0) throw new Error('The passphrase does not open the key that lies beside the replica.')
  return keys
}

/**
 * Stores the key of the installation beside its replica, sealed with a passphrase, unless it is there already. The key
 * of another installation, such as the one that this machine had before, is never replaced: it may be the only one that
 * opens the older histories.
 */
export async function keepSealedKey(store: Store, passphrase: string, key: Uint8Array): Promise<void> {
  const id = createSecretBox(key).sign(CONTEXT, 'name')
  for (const name of [NAME, `${OTHERS}/${id}.json`]) {
    const note = await noteAt(store, name)
    const known = note && (await opened(note, passphrase))
    if (known && Buffer.from(known).equals(key)) return
    // the key of this installation under an older passphrase is sealed again with the new one
    if (note === undefined || note?.of === id) return store.write(name, await sealedWith(passphrase, key, id))
  }
}

/** Returns the note with a sealed key; `id` distinguishes keys and reveals nothing about them. */
async function sealedWith(passphrase: string, key: Uint8Array, id: string): Promise<Uint8Array> {
  const salt = randomBytes(16)
  const box = createSecretBox(await deriveKey(passphrase, salt))
  const { memoryCost, timeCost, parallelism } = COST
  const note = {
    of: id,
    argon2id: { salt: salt.toString('base64'), memoryCost, timeCost, parallelism },
    sealed: Buffer.from(box.seal(key, CONTEXT)).toString('base64'),
  }
  return new TextEncoder().encode(`${JSON.stringify(note, null, 1)}\n`)
}
