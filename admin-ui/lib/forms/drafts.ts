import { useEffect, useRef, useState } from 'react'
import type { Unanswered } from '../api/pending-acts.ts'
import { useMe } from '../api/session.ts'

/** Drafts are stored for this tab, until it is closed. */
type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const shelf = (): Shelf | null => {
  try {
    return sessionStorage
  } catch {
    // A browser that stores nothing for this site keeps no drafts.
    return null
  }
}

/** Returns the key of a user's draft about a record, which other users of a shared screen do not read. */
export const draftKey = (userId: string, about: string): string => `draft:${userId}:${about}`

/** Stores a text, or removes it if it is empty. A full storage loses only the draft. */
export const keepDraft = (key: string, text: string, at: Shelf | null = shelf()): void => {
  try {
    if (text.trim() === '') at?.removeItem(key)
    else at?.setItem(key, text)
  } catch {
    return
  }
}

/** Returns the stored text, or an empty one. */
export const readDraft = (key: string, at: Shelf | null = shelf()): string => at?.getItem(key) ?? ''

/** Returns the draft of a record that was typed before the page was left, and a function to store the present text. */
export const useDraft = (about: string): { kept: string; keep: (text: string) => void } => {
  const me = useMe()
  const key = draftKey(me.id, about)
  const [kept] = useState(() => readDraft(key))
  return { kept, keep: (text) => keepDraft(key, text) }
}

/** Maps drafts to functions that empty their fields if these still contain the sent text. */
const fields = new Map<string, Set<(sent: string) => void>>()

/** Registers a field for `dropDraft` until the returned function is called. */
export const holdDraft = (key: string, empty: (sent: string) => void): (() => void) => {
  const held = fields.get(key) ?? new Set()
  fields.set(key, held.add(empty))
  return () => held.delete(empty)
}

/** Removes a sent text from storage and from its field; text that was typed after sending is kept. */
export const dropDraft = (key: string, sent: string, at: Shelf | null = shelf()): void => {
  if (readDraft(key, at) === sent) keepDraft(key, '', at)
  for (const empty of fields.get(key) ?? []) empty(sent)
}

type KeptField = {
  /** The subject of the draft, such as one record. */
  about: string
  value: string
  /** Puts these words into the field. */
  restore: (text: string) => void
  /** The unanswered change of the field; a text that is changed afterwards is a new change. */
  unanswered: Unanswered
}

/**
 * Stores a field's text as a draft about a record, and restores what was typed when the page was left. `sent` removes a
 * sent text from the draft, even if the field no longer exists.
 */
export const useKeptField = ({ about, value, restore, unanswered }: KeptField): { sent: (text: string) => void } => {
  const me = useMe()
  const key = draftKey(me.id, about)
  const { kept, keep } = useDraft(about)
  const begun = useRef(kept)
  const last = useRef(kept)
  useEffect(() => {
    const text = begun.current
    begun.current = ''
    if (text) {
      restore(text)
      return
    }
    keep(value)
    if (value !== last.current) unanswered.forget()
    last.current = value
  })
  useEffect(() =>
    holdDraft(key, (sent) => {
      if (value === sent) restore('')
    }),
  )
  return { sent: (text) => dropDraft(key, text) }
}
