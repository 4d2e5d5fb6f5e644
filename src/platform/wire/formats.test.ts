import { describe, expect, test } from 'bun:test'
import { FormatRegistry, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { validationProblem } from '../http/body/validation.ts'
import { plain } from '../http/openapi/schemas.ts'
import { Amount, Currency, Language, Line, Nullable, Prose, ReportedLine, SHARE } from './fields.ts'
import { FREE_LINE, FREE_TEXT, findControl, foldEmail, isDate, isEmail, isTime } from './formats.ts'
import { worded } from './schema-name.ts'

describe('a day', () => {
  test.each(['2026-01-01', '2024-02-29', '2000-02-29', '0001-12-31'])('%s is a day', (text) =>
    expect(isDate(text)).toBe(true),
  )
  test.each([
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-01-00',
    '2026-1-1',
    '26-01-01',
    '2026-01-01Z',
    '01/02/2026',
    '',
  ])('“%s” is not a day', (text) => expect(isDate(text)).toBe(false))
})

describe('a time', () => {
  test.each([
    '2026-01-01T00:00:00Z',
    '2026-01-01T23:59:59.999999999+14:00',
    '2026-01-01T09:00Z',
    '2024-02-29T09:00:00.5-03:30',
  ])('%s is a time', (text) => {
    expect(isTime(text)).toBe(true)
    expect(Number.isNaN(Date.parse(text))).toBe(false)
  })
  test.each([
    '2026-01-01',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T09:60:00Z',
    '2026-01-01T09:00:60Z',
    '2026-01-01T09:00:00',
    '2026-01-01 09:00:00Z',
    '2026-01-01T09:00:00+25:00',
    'Sat Jan 03 2026 00:00:00 GMT+0000 (UTC)',
    '"2026-01-01T00:00:00Z"',
  ])('“%s” is not a time', (text) => expect(isTime(text)).toBe(false))
})

describe('an e-mail address', () => {
  test.each([
    'a@b.co',
    'anna.bench+2@example.com',
    "o'neill_{x}@mail.example.co.uk",
    'ANNA@EXAMPLE.COM',
    'a@xn--bcher-kva.example',
    'a@example.xn--p1ai',
    `${'x'.repeat(64)}@example.com`,
    `${'ü'.repeat(32)}@example.com`,
    'user@münchen.example',
    'jürgen@example.de',
    '用户@例え.テスト',
    'почта@пример.рф',
    'taro.@docomo.example',
    'ta..ro@docomo.example',
  ])('%s is an e-mail address', (text) => expect(isEmail(text)).toBe(true))
  test.each([
    '',
    '@example.com',
    'anna@',
    'anna',
    'anna@example',
    'anna@example.c',
    'anna@example.123',
    'anna@-example.com',
    'anna@example-.com',
    'anna@example..com',
    '.anna@example.com',
    'anna@bench@example.com',
    'anna bench@example.com',
    'anna@example.com\n',
    'anna@example.com, berta@example.com',
    '"anna"@example.com',
    '<anna@example.com>',
    'anna\u200b@example.com',
    'anna@exa mple.com',
    'anna@mün chen.example',
    'ü@münchen',
    `${'ü'.repeat(33)}@example.com`,
    `${'x'.repeat(65)}@example.com`,
    `a@${'x'.repeat(64)}.com`,
    `a@${'x.'.repeat(130)}com`,
  ])('“%s” is not an e-mail address', (text) => expect(isEmail(text)).toBe(false))

  test.each([
    [' User@MÜNCHEN.example ', 'user@xn--mnchen-3ya.example'],
    ['user@xn--mnchen-3ya.example', 'user@xn--mnchen-3ya.example'],
    ['JU\u0308RGEN@example.de', 'jürgen@example.de'],
    ['ANNA@EXAMPLE.COM', 'anna@example.com'],
    ['Müller', 'müller'],
  ])('the address %j is stored as %s', (written, stored) => expect(foldEmail(written)).toBe(stored))

  test('schemas check addresses, days and times by these functions, whatever is loaded later', async () => {
    await import('../http/openapi/openapi.ts')
    expect(FormatRegistry.Get('email')).toBe(isEmail)
    expect(FormatRegistry.Get('date')).toBe(isDate)
    expect(FormatRegistry.Get('date-time')).toBe(isTime)
  })
})

describe('free text', () => {
  test.each(['Ada\tLovelace\r\nLondon', '', 'Жанна 😀 é\u2028', '\u00a0'])(
    'the text %j has no control character',
    (text) => {
      expect(findControl(text)).toBe(-1)
      expect(FormatRegistry.Get(FREE_TEXT)?.(text)).toBe(true)
    },
  )
  test.each(['\u0001', '\u000b', '\u000c', '\u001b', '\u007f', '\u0085', '\u009b'])(
    'a text with the control character %j is refused',
    (mark) => {
      expect(findControl(`ab${mark}c`)).toBe(2)
      expect(FormatRegistry.Get(FREE_TEXT)?.(`ab${mark}c`)).toBe(false)
      expect(FormatRegistry.Get(FREE_LINE)?.(`ab${mark}c`)).toBe(false)
    },
  )
})

describe('a name', () => {
  const finding = (text: string): unknown => {
    const schema = Type.Object({ name: Line(60) })
    if (Value.Check(schema, { name: text })) return null
    return validationProblem('body', schema, { name: text }).errors[0]?.message
  }

  test.each(['Ada', 'שלום', 'علی\u200cرضا', '👨\u200d👩\u200d👧', '\u200fשלום', 'ﷺ', '·'])(
    'the name %j has a visible character',
    (text) => expect(finding(text)).toBeNull(),
  )
  test.each(['\u200b', '\u200b\u200d \ufeff', '\u3164', '\u2800', '\u00ad', '\ufe0f\u034f', '\u180e', '\u2063'])(
    'the name %j has no visible character and is refused',
    (text) => expect(finding(text)).toBe('must be one line of text, not blank'),
  )
  test.each(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'])(
    'a name with %j, which changes the direction of text, is refused',
    (mark) => {
      const code = mark.charCodeAt(0).toString(16).toUpperCase()
      const said = `must not hold the control character U+${code} (character 4)`
      expect(finding(`ada${mark}fdp.exe`)).toBe(said)
    },
  )
})

test('the message for a malformed value says how it is written, whatever the description of the field is', () => {
  const schema = Type.Object({
    minimum: worded(Amount, 'least payout'),
    currency: worded(Currency, 'what the firm counts in'),
    language: Language,
    cap: Type.String({ pattern: SHARE, description: 'of one level' }),
  })
  const value = { minimum: '1,000', currency: 'euro', language: 'English', cap: '25%' }
  expect(validationProblem('body', schema, value).errors.map(({ message }) => message)).toEqual([
    'must be a number such as 1250.50: digits, and a point before at most 8 decimals',
    'must be a currency code',
    'must be a language code such as en or pt-BR',
    'must be a number from 0 to 1 such as 0.25, with at most 6 decimals',
  ])
})

test('a control character is refused with its code and place, but accepted in a line that a machine reports', () => {
  const schema = Type.Object({ note: Prose(), name: Nullable(Line()), ticket: ReportedLine(40) })
  const value = { note: 'a\nb\u0001', name: '\u001b[2J', ticket: 'a\u0001' }
  expect(validationProblem('body', schema, value).errors).toEqual([
    { path: 'note', code: 'invalid', message: 'must not hold the control character U+0001 (character 4)' },
    { path: 'name', code: 'invalid', message: 'must not hold the control character U+001B (character 1)' },
  ])
  for (const format of [FREE_TEXT, FREE_LINE]) expect(JSON.stringify(plain(schema))).not.toContain(format)
})
