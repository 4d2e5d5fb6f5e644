import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { forgetUnanswered, isApiError } from './http.ts'

/** Acts of one form whose answer never came. While the form is open, the same once more repeats the act. */
export type Unanswered = {
  note: (error: unknown) => void
  /** Whether anything of this form may have been done without its reader knowing. */
  some: () => boolean
  /** Gives them up with the form: entered anew, the same words are another act. The page shows first what was done. */
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
      // What was still being done when the answer was lost has ended by now.
      if (acts.size > 0) void client.invalidateQueries()
      for (const act of acts) forgetUnanswered(act)
      acts.clear()
    },
  }
}

/** Those of forms that come back with their draft, by what they are about. */
const byDraft = new Map<string, Unanswered>()

/** The unanswered acts of the form that asks; those of a form with a draft outlast it, as its words do. */
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
