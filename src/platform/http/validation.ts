/** What a validator says of one place in the input. */
export type Finding = { path?: string; message?: string; schema?: Readonly<Record<string, unknown>> }
type Alternative = { type?: string; pattern?: string; format?: string; description?: string; enum?: readonly unknown[] }

const isAlternative = (value: unknown): value is Alternative => typeof value === 'object' && value !== null

/** A validator's words, better where it says "union" or "kind": what the value may be besides null. */
export function explain({ message = 'is not valid', schema }: Finding): string {
  if (Array.isArray(schema?.enum)) return `must be one of ${schema.enum.join(', ')}`
  const all = Array.isArray(schema?.anyOf) ? schema.anyOf.filter(isAlternative) : []
  const wanted = all.filter(({ type }) => type !== 'null')
  if (wanted.length === 0) return message
  const words = wanted.map(({ type, pattern, format, description, enum: values }) => {
    if (description) return description
    if (values) return `one of ${values.join(', ')}`
    return format ? `a ${format}` : pattern ? `text like ${pattern}` : `a ${type ?? 'value'}`
  })
  return `must be ${words.join(', or ')}${wanted.length < all.length ? ', or null' : ''}`
}
