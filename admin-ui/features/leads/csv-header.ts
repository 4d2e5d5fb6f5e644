import type { ImportField } from './leads.api.ts'

/**
 * The column names of a CSV file: its first record, with quotes, by comma, semicolon or tab. The server reads the rest.
 */
export const csvHeader = (text: string): string[] => {
  const names: string[] = []
  let name = ''
  let quoted = false
  const source = text.replace(/^\uFEFF/, '')
  const [first = ''] = source.split(/\r?\n/, 1)
  const count = (mark: string): number => first.split(mark).length
  // the same guess as the server's
  const separator = [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
  for (let index = 0; index < source.length; index++) {
    const char = source.charAt(index)
    if (char === '"') {
      if (quoted && source.charAt(index + 1) === '"') {
        name += '"'
        index++
      } else quoted = !quoted
    } else if (!quoted && (char === '\n' || char === '\r')) break
    else if (!quoted && char === separator) {
      names.push(name.trim())
      name = ''
    } else name += char
  }
  names.push(name.trim())
  // Two columns of one name are one: the server knows them by nothing else.
  return [...new Set(names.filter(Boolean))]
}

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

/** A first guess at which column fills which field; each field is filled once. */
export const guessMapping = (columns: readonly string[]): Record<string, ImportField> => {
  const mapping: Record<string, ImportField> = {}
  for (const [field, hint] of HINTS) {
    const column = columns.find((name) => !(name in mapping) && hint.test(name))
    if (column) mapping[column] = field
  }
  return mapping
}
