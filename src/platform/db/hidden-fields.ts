/**
 * What some of the staff do not see: `identity` are dates of birth, streets and phones, `destination` is where money
 * goes. A table says which veil lies over its rows, the role of whoever reads which veils they look through. RULES
 * “Reading people”.
 */
export type Veil = 'identity' | 'destination'

const HIDDEN = '•••'
/** Whether a text is what a veil left of one. */
export const isHidden = (text: string): boolean => text.includes(HIDDEN)

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Of a phone its last four digits. */
const lastFour = (phone: string): string => `${HIDDEN}${phone.slice(-4)}`

/** The first and last four characters of where money goes; of a short one the last two, which is not half of it. */
const ends = (text: string): string =>
  text.length > 12
    ? `${text.slice(0, 4)}${HIDDEN}${text.slice(-4)}`
    : `${HIDDEN}${text.slice(-Math.min(4, text.length / 3))}`

/** What stands in the place of everything below a key that is about phones. */
function phonesHidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(phonesHidden)
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, phonesHidden(inner)]))
  return typeof value === 'string' || typeof value === 'number' ? lastFour(String(value)) : value
}

const BIRTH = /birth|geburt|^dob$/i
const STREET = /street|^address$/i
const PHONE = /phone|mobile|whatsapp|^tel/i

/** What is left of one field, by what it is called; undefined where its value says nothing that is hidden. */
function veiled(key: string, value: unknown): { left: unknown } | undefined {
  if (BIRTH.test(key)) return { left: null }
  if (PHONE.test(key)) return { left: phonesHidden(value) }
  // an address in parts loses its street alone
  return STREET.test(key) && !isObject(value) ? { left: undefined } : undefined
}

/**
 * Takes dates of birth, streets and most of each phone out of an object, at any depth and in place: rows, what the
 * audit keeps of them, and the answers of a lead's form, which call their fields as they like, some by a `name` beside
 * the `values`.
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

/** Lays a veil over a row, in place. */
export function hide(veil: Veil, row: Record<string, unknown>): void {
  if (veil === 'identity') hideIdentity(row)
  // of a card nothing else is kept
  else if (typeof row.reference === 'string' && row.kind !== 'card') row.reference = ends(row.reference)
}
