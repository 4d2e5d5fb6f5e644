import type { ImportField } from './leads.api.ts'

const HINTS: readonly (readonly [ImportField, RegExp])[] = [
  ['email', /e-?mail|^mail$/i],
  ['phone', /phone|mobile|tel/i],
  ['firstName', /first|given|vorname/i],
  ['lastName', /last|sur|family|nachname/i],
  ['country', /country|land/i],
  ['language', /lang/i],
  ['campaign', /campaign/i],
  ['leadGenId', /lead.?(gen)?.?id|^id$/i],
  ['note', /note|comment|remark/i],
]

/** Guesses which column fills which field; each field is filled at most once. */
export const guessMapping = (columns: readonly string[]): Record<string, ImportField> => {
  const mapping: Record<string, ImportField> = {}
  for (const [field, hint] of HINTS) {
    const column = columns.find((name) => !(name in mapping) && hint.test(name))
    if (column) mapping[column] = field
  }
  return mapping
}
