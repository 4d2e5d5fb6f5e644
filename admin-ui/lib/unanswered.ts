import { useState } from 'react'
import { forgetUnanswered, isApiError } from './http.ts'

/** Acts of one form whose answer never came. While the form is open, the same once more repeats the act. */
export type Unanswered = {
  note: (error: unknown) => void
  /** Whether anything of this form may have been done without its reader knowing. */
  some: () => boolean
  /** Gives them up with the form: entered anew, the same words are another act. */
  forget: () => void
}

const noUnanswered = (): Unanswered => {
  const acts = new Set<string>()
  return {
    note: (error) => {
      if (isApiError(error) && error.unanswered !== null) acts.add(error.unanswered)
    },
    some: () => acts.size > 0,
    forget: () => {
      for (const act of acts) forgetUnanswered(act)
      acts.clear()
    },
  }
}

/** The unanswered acts of the form that asks. */
export const useUnanswered = (): Unanswered => useState(noUnanswered)[0]
