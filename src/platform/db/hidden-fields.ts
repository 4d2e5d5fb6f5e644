/**
 * Parts of rows that some staff do not see: `identity` is dates of birth, streets and phones, `destination` is where
 * money goes. A table declares the veil of its rows; `listVeils` says which veils hide data from a caller. RULES
 * “Reading people”.
 */
export type Veil = 'identity' | 'destination'

const HIDDEN = '•••'
/** Returns whether a text was shortened by a veil. */
export const isHidden = (text: string): boolean => text.includes(HIDDEN)

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns the last four digits of a phone. */
const lastFour = (phone: string): string => `${HIDDEN}${phone.slice(-4)}`

/** Returns the first and last four characters of a destination; of a short one only the last two. */
const ends = (text: string): string =>
  text.length > 12
    ? `${text.slice(0, 4)}${HIDDEN}${text.slice(-4)}`
    : `${HIDDEN}${text.slice(-Math.min(4, text.length / 3))}`

/** Hides the phones in everything below a key about phones. */
function phonesHidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(phonesHidden)
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, phonesHidden(inner)]))
  return typeof value === 'string' || typeof value === 'number' ? lastFour(String(value)) : value
}

const BIRTH = /birth|geburt|^dob$/i
const STREET = /street|^address$/i
const PHONE = /phone|mobile|whatsapp|^tel/i

/** Returns what is left of one field, by its name; undefined if nothing is hidden. */
function veiled(key: string, value: unknown): { left: unknown } | undefined {
  if (BIRTH.test(key)) return { left: null }
  if (PHONE.test(key)) return { left: phonesHidden(value) }
  // an address in parts loses only its street
  return STREET.test(key) && !isObject(value) ? { left: undefined } : undefined
}

/**
 * Removes dates of birth, streets and most of each phone from an object, at any depth and in place. It is for rows,
 * their audit, and the answers of a lead's form. Such an answer may have any key, or have its key in `name` and its
 * value in `values`.
 */
export function hideIdentity(value: unknown): void {
  if (Array.isArray(value)) for (const item of value) hideIdentity(item)
  else if (isObject(value)) {
    const { name, values } = value
    const answer = typeof name === 'string' && values !== undefined ? veiled(name, values) : undefined
    if (answer) value.values = answer.left
    for (const [key, inner] of Object.entries(value)) {
      const hidden = veiled(key, inner)
      if (!hidden) hideIdentity(inner)
      else if (hidden.left === undefined) Reflect.deleteProperty(value, key)
      else value[key] = hidden.left
    }
  }
}

/** Applies a veil to a row, in place. */
export function hide(veil: Veil, row: Record<string, unknown>): void {
  if (veil === 'identity') hideIdentity(row)
  // the reference of a card is its last four digits already, or less
  else if (typeof row.reference === 'string' && row.kind !== 'card') row.reference = ends(row.reference)
}
