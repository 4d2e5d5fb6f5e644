import { useEffect, useRef, useState } from 'react'
import type { Unanswered } from '../api/pending-acts.ts'
import { useMe } from '../api/session.ts'

/** Where drafts are kept: this tab, until it is closed. */
type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const shelf = (): Shelf | null => {
  try {
    return sessionStorage
  } catch {
    // A browser that keeps nothing for this site forgets drafts too.
    return null
  }
}

/** A person's draft about a record; on a shared screen nobody reads another one's. */
export const draftKey = (userId: string, about: string): string => `draft:${userId}:${about}`

/** Keeps a text, or forgets it when it is empty. A full shelf loses the draft and nothing else. */
export const keepDraft = (key: string, text: string, at: Shelf | null = shelf()): void => {
  try {
    if (text.trim() === '') at?.removeItem(key)
    else at?.setItem(key, text)
  } catch {
    return
  }
}

/** The text that was kept, or nothing. */
export const readDraft = (key: string, at: Shelf | null = shelf()): string => at?.getItem(key) ?? ''

/** A draft about one record: what was typed when the page was left, and how to keep what is typed now. */
export const useDraft = (about: string): { kept: string; keep: (text: string) => void } => {
  const me = useMe()
  const key = draftKey(me.id, about)
  const [kept] = useState(() => readDraft(key))
  return { kept, keep: (text) => keepDraft(key, text) }
}

/** Fields that hold a draft now, each with how it is emptied when it still holds these words. */
const fields = new Map<string, Set<(sent: string) => void>>()

/** Shows a field to `dropDraft` until the returned function is called. */
export const holdDraft = (key: string, empty: (sent: string) => void): (() => void) => {
  const held = fields.get(key) ?? new Set()
  fields.set(key, held.add(empty))
  return () => held.delete(empty)
}

/** Words that were sent are no draft any more, on the shelf or in a field; what was typed on is kept. */
export const dropDraft = (key: string, sent: string, at: Shelf | null = shelf()): void => {
  if (readDraft(key, at) === sent) keepDraft(key, '', at)
  for (const empty of fields.get(key) ?? []) empty(sent)
}

type KeptField = {
  /** What the draft is about, such as one record. */
  about: string
  value: string
  /** Puts these words into the field. */
  restore: (text: string) => void
  /** What the field sent without an answer; words that are changed afterwards are another act. */
  unanswered: Unanswered
}

/**
 * Keeps a field's text as a draft about a record, and puts back what was typed when the page was left. `sent` takes
 * words that were sent out of the draft, also when the field is gone by then.
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
