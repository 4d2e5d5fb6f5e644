import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { openNote, sealNote } from './note-seal.ts'
import type { Store } from './store.ts'

/**
 * The content of a note. `ours` was written with one of the given keys, `bare` without any, as older versions did;
 * `strange` was written with another key, was changed since, or cannot be read.
 */
export type Note<T> = { proof: 'ours' | 'bare'; value: T } | { proof: 'strange'; value: T | undefined }

/** The notes at a place, under the key of the installation. */
export type Notes = {
  /** Returns the note under a name; undefined if there is none. */
  read<S extends TSchema>(name: string, shape: S): Promise<Note<Static<S>> | undefined>
  write(name: string, value: unknown): Promise<void>
  remove(name: string): Promise<void>
}

/** Returns the value of a note without a check of its proof; undefined if it has another shape. */
function said<S extends TSchema>(bytes: Uint8Array, shape: S): Static<S> | undefined {
  try {
    const note: unknown = JSON.parse(new TextDecoder().decode(bytes))
    const value = typeof note === 'object' && note !== null && 'value' in note ? note.value : note
    return Value.Check(shape, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Makes the access to notes that are written with the first of these keys, and accepted with any of them. */
export function createNotes(store: Pick<Store, 'read' | 'write' | 'remove'>, keys: readonly Uint8Array[]): Notes {
  /** Tries to open a note with each key. */
  const checkProof = (name: string, bytes: Uint8Array): Note<unknown>['proof'] => {
    for (const key of keys)
      try {
        return openNote(key, name, bytes).isSealed ? 'ours' : 'bare'
      } catch {
        // the note is of another key, or was changed
      }
    return 'strange'
  }
  return {
    read: async (name, shape) => {
      const bytes = await store.read(name)
      if (!bytes) return undefined
      const value = said(bytes, shape)
      const proof = value === undefined ? 'strange' : checkProof(name, bytes)
      return value === undefined || proof === 'strange' ? { proof: 'strange', value } : { proof, value }
    },
    write: async (name, value) => {
      const [key] = keys
      if (!key) throw new Error('a note cannot be written without the key of the installation')
      await store.write(name, sealNote(key, name, value))
    },
    remove: (name) => store.remove(name),
  }
}
