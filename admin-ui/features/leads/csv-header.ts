import type { ImportField } from './leads.api.ts'

/** The column names of a CSV file: its first record, with quotes and either separator. The server reads the rest. */
export const csvHeader = (text: string): string[] => {
  const names: string[] = []
  let name = ''
  let quoted = false
  const source = text.replace(/^\uFEFF/, '')
  for (let index = 0; index < source.length; index++) {
    const char = source.charAt(index)
    if (char === '"') {
      if (quoted && source.charAt(index + 1) === '"') {
        name += '"'
        index++
      } else quoted = !quoted
    } else if (!quoted && (char === '\n' || char === '\r')) break
    else if (!quoted && char === ',') {
      names.push(name.trim())
      name = ''
    } else name += char
  }
  names.push(name.trim())
  return names.filter(Boolean)
}

const HINTS: readonly (readonly [ImportField, RegExp])[] = [
  ['email', /e-?mail/i],
  ['phone', /phone|mobile|tel/i],
  ['firstName', /first|given|vorname/i],
  ['lastName', /last|sur|family|nachname/i],
  ['country', /country|land/i],
  ['language', /lang/i],
  ['campaign', /campaign/i],
  ['leadGenId', /lead.?(gen)?.?id|^id$/i],
  ['note', /note|comment|remark/i],
]

/** A first guess at which column fills which field; each field is filled once. */
export const guessMapping = (columns: readonly string[]): Record<string, ImportField> => {
  const mapping: Record<string, ImportField> = {}
  for (const [field, hint] of HINTS) {
    const column = columns.find((name) => !(name in mapping) && hint.test(name))
    if (column) mapping[column] = field
  }
  return mapping
}
