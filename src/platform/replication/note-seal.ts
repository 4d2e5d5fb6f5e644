import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createSecretBox } from '../secrets.ts'

/** A note beside a replica or a snapshot: its value, and the proof that this installation wrote it. */
const SealedNote = Type.Object({ value: Type.Unknown(), mac: Type.String() }, { additionalProperties: false })

const PURPOSE = 'note beside a copy'

/** Returns the same text for a value in whatever order the fields of its objects are. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** Returns the proof that the installation with this key wrote a value under a name. */
export const noteMac = (key: Uint8Array, name: string, value: unknown): string =>
  createSecretBox(key).sign(PURPOSE, canonical([name, value]))

/** Returns whether a proof is that of this key, this name and this value. */
export const isNoteMac = (key: Uint8Array, name: string, value: unknown, mac: string): boolean =>
  createSecretBox(key).verify(PURPOSE, canonical([name, value]), mac)

/** Returns the bytes of a sealed note; `name` is the name of its object, so that it is refused under another name. */
export const sealNote = (key: Uint8Array, name: string, value: unknown): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ value, mac: noteMac(key, name, value) }, null, 1)}\n`)

/**
 * Returns the value of a note. `isSealed` is false for a note without a proof, as older versions wrote it; a caller
 * that knows that the notes of its place are sealed refuses it. Throws an error for the operator if the proof is not
 * that of this key, name and value, and if the note is not JSON.
 */
export function openNote(key: Uint8Array, name: string, bytes: Uint8Array): { value: unknown; isSealed: boolean } {
  const note: unknown = JSON.parse(new TextDecoder().decode(bytes))
  if (!Value.Check(SealedNote, note)) return { value: note, isSealed: false }
  if (!isNoteMac(key, name, note.value, note.mac))
    throw new Error(`The note ${name} was not written with the key of this installation, or was changed since.`)
  return { value: note.value, isSealed: true }
}
