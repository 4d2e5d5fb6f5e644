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

/**
 * Takes dates of birth, streets and most of each phone out of an object, at any depth and in place: rows, what the
 * audit keeps of them, and the answers of a lead's form, which call their fields as they like.
 */
export function hideIdentity(value: unknown): void {
  if (Array.isArray(value)) for (const item of value) hideIdentity(item)
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) {
      if (/birth|^dob$/i.test(key)) value[key] = null
      else if (/street/i.test(key)) Reflect.deleteProperty(value, key)
      else if (/phone|mobile/i.test(key)) value[key] = phonesHidden(inner)
      else if (isObject(inner)) hideIdentity(inner)
    }
}

/** Lays a veil over a row, in place. */
export function hide(veil: Veil, row: Record<string, unknown>): void {
  if (veil === 'identity') hideIdentity(row)
  // of a card nothing else is kept
  else if (typeof row.reference === 'string' && row.kind !== 'card') row.reference = ends(row.reference)
}
