import { useEffect, useRef, useState } from 'react'
import { useMe } from './session.ts'

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

/** Keeps a field's text as a draft about a record, and puts back by `restore` what was typed when the page was left. */
export const useKeptField = (about: string, value: string, restore: (text: string) => void): void => {
  const { kept, keep } = useDraft(about)
  const begun = useRef(kept)
  useEffect(() => {
    const text = begun.current
    begun.current = ''
    if (text) restore(text)
    else keep(value)
  })
}
