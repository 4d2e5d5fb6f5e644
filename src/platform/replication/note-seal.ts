import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createSecretBox } from '../secrets.ts'

/** A note as it lies beside a replica or a snapshot: what it says, and the proof that this installation said so. */
const SealedNote = Type.Object({ value: Type.Unknown(), mac: Type.String() }, { additionalProperties: false })

const PURPOSE = 'note beside a copy'

/** One text for one value, in whatever order the fields of its objects come. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** The proof that the installation of a key wrote a value under a name. */
export const noteMac = (key: Uint8Array, name: string, value: unknown): string =>
  createSecretBox(key).sign(PURPOSE, canonical([name, value]))

/** Whether a proof is that of this key, this name and this value. */
export const isNoteMac = (key: Uint8Array, name: string, value: unknown, mac: string): boolean =>
  createSecretBox(key).verify(PURPOSE, canonical([name, value]), mac)

/** The bytes of a note under the key of the installation; `name` is the name of its object, so that none is moved. */
export const sealNote = (key: Uint8Array, name: string, value: unknown): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ value, mac: noteMac(key, name, value) }, null, 1)}\n`)

/**
 * What a note says. `isSealed` is false for one without a proof, as versions wrote before notes were sealed: whoever
 * knows that this place has sealed ones refuses it. Throws in words where the proof is not that of this key, this name
 * and these words, and where it is no JSON.
 */
export function openNote(key: Uint8Array, name: string, bytes: Uint8Array): { value: unknown; isSealed: boolean } {
  const note: unknown = JSON.parse(new TextDecoder().decode(bytes))
  if (!Value.Check(SealedNote, note)) return { value: note, isSealed: false }
  if (!isNoteMac(key, name, note.value, note.mac))
    throw new Error(`The note ${name} was not written with the key of this installation, or was changed since.`)
  return { value: note.value, isSealed: true }
}
