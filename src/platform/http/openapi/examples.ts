type Bag = Readonly<Record<string, unknown>>
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value)
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const TIME = '2026-01-31T09:30:00.000Z'
const ID = '01jk2v7m9q4x8r3t6w5y0z1abc'

/** Example texts by format, for a schema without an example. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': TIME,
  'date-or-time': TIME,
  date: '2026-01-31',
  email: 'anna@example.com',
  uri: 'https://example.com/hook',
  url: 'https://example.com/hook',
}

/** Example texts of known fields; if the schema refuses one, the next candidate is tried. */
const FIELDS: Readonly<Record<string, string>> = {
  displayName: 'Anna Example',
  firstName: 'Anna',
  lastName: 'Example',
  name: 'Example',
  email: 'anna@example.com',
  phone: '+35722123456',
  timeZone: 'Europe/Nicosia',
  url: 'https://example.com/hook',
  symbol: 'EURUSD',
  ip: '192.0.2.1',
  country: 'CY',
  language: 'en',
}

const CANDIDATES = [
  'example',
  '1',
  '125.50',
  'EUR',
  'CY',
  'en',
  ID,
  TIME,
  '2026-01-31',
  '#1c7ed6',
  '+35722123456',
  'EUR/USD',
  'Europe/Nicosia',
  'anna@example.com',
  'https://example.com/hook',
  '/v1/files/example',
  '192.0.2.0/24',
  '123456',
  '09:00',
  'a long enough example',
  '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
]

function findText(schema: Bag, field: string): string {
  const { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  const shape = typeof pattern === 'string' ? new RegExp(pattern) : undefined
  const wanted = typeof format === 'string' ? [FORMATS[format]] : [FIELDS[field], /Id$/i.test(field) ? ID : undefined]
  const fits = (text: string | undefined): text is string =>
    text !== undefined &&
    text.length >= Number(minLength) &&
    text.length <= Number(maxLength) &&
    (shape === undefined || shape.test(text))
  const found = [...wanted, ...(/At$|Time$/.test(field) ? [TIME] : []), ...CANDIDATES].find(fits)
  if (found === undefined)
    throw new Error(`No example fits ${field} ${JSON.stringify(schema)}: give its schema one in \`examples\`.`)
  return found
}

function pickNumber({ minimum, maximum, type, exclusiveMinimum }: Bag): number {
  const least = typeof minimum === 'number' ? minimum : typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 1
  const most = typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY
  const wanted = Math.min(Math.max(1, least), most)
  return type === 'integer' ? Math.trunc(wanted) : wanted
}

/**
 * Returns a value that a schema accepts, always the same one: the first of its `examples`, otherwise a value made from
 * its parts. Texts are chosen among candidates. If none of them fits a pattern, the document cannot be made, so such a
 * pattern needs an example.
 */
export function buildExample(schema: unknown, field = ''): unknown {
  if (!isBag(schema)) return null
  const [given] = asList(schema.examples)
  if (given !== undefined) return given
  if ('const' in schema) return schema.const
  const [word] = asList(schema.enum)
  if (word !== undefined) return word
  const [alternative] = asList(schema.anyOf)
  if (alternative !== undefined) return buildExample(alternative, field)
  const parts = asList(schema.allOf)
  if (parts.length > 0) return Object.assign({}, ...parts.map((part) => buildExample(part, field)))
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(isBag(schema.properties) ? schema.properties : {}).map(([key, item]) => [
          key,
          buildExample(item, key),
        ]),
      )
    case 'array':
      return schema.maxItems === 0 ? [] : [buildExample(schema.items, field)]
    case 'integer':
    case 'number':
      return pickNumber(schema)
    case 'boolean':
      return true
    case 'string':
      return findText(schema, field)
    default:
      return null
  }
}
