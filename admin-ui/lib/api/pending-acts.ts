import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { forgetUnanswered, isApiError } from './http.ts'

/** Changes of one form without an answer. While the form is open, the same values repeat the same change. */
export type Unanswered = {
  note: (error: unknown) => void
  /** Returns whether a change of this form may have been done without its reader knowing. */
  some: () => boolean
  /** Forgets them when the form closes: the same values entered later are a new change. Everything is read again. */
  forget: () => void
}

const noUnanswered = (client: QueryClient): Unanswered => {
  const acts = new Set<string>()
  return {
    note: (error) => {
      if (isApiError(error) && error.unanswered !== null) acts.add(error.unanswered)
    },
    some: () => acts.size > 0,
    forget: () => {
      // A change that still ran when its answer was lost has ended by now, so everything is read again.
      if (acts.size > 0) void client.invalidateQueries()
      for (const act of acts) forgetUnanswered(act)
      acts.clear()
    },
  }
}

/** Maps the subject of a form with a draft to its changes without an answer. */
const byDraft = new Map<string, Unanswered>()

/** Returns the unanswered changes of a form; those of a form with a draft outlast it, as its text does. */
export const useUnanswered = (about?: string): Unanswered => {
  const client = useQueryClient()
  const [acts] = useState(() => {
    const known = about === undefined ? undefined : byDraft.get(about)
    const made = known ?? noUnanswered(client)
    if (about !== undefined) byDraft.set(about, made)
    return made
  })
  return acts
}
