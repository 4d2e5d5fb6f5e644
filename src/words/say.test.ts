import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../testing/app.ts'
import { lettersTo } from '../testing/sign-in.ts'
import { pickLanguage, pickLocale } from './language.ts'
import { inLanguage, languageNow, say } from './say.ts'
import { createFormats } from './speaker.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('words')
})
afterAll(() => app.close())

test.each([
  [null, 'en'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['fr, de;q=0.8', 'de'],
  ['en;q=0.9, de;q=0.2', 'en'],
  ['de;q=0', 'en'],
  ['*', 'en'],
  ['x'.repeat(10_000), 'en'],
  [`de${' '.repeat(15_000)}!`, 'de'],
  ['de-'.repeat(5000), 'de'],
] as const)('the answer to Accept-Language %p is in %s', (accepted, language) => {
  expect(pickLanguage(accepted)).toBe(language)
})

test('dates and numbers are in the language of the sentences, in the variant that the browser prefers', () => {
  expect(pickLocale('en', ['de-DE', 'en-US'])).toBe('en-US')
  expect(pickLocale('de', ['en', 'de-AT'])).toBe('de-AT')
  expect([pickLocale('en', ['de-DE', 'de']), pickLocale('de', ['en-GB'])]).toEqual(['en-GB', 'de'])
})

test('a sentence that a language lacks is shown in English, with English plurals', () => {
  expect(inLanguage('de', () => say('problems.title.404'))).toBe('Nicht gefunden')
  const english = { 'rows.left': '{count, plural, one {# row is left} other {# rows are left}}' }
  const format = createFormats(english, 'de', {})('rows.left')
  expect([1, 2000].map((count) => String(format.format({ count })))).toEqual(['1 row is left', '2,000 rows are left'])
})

const asked = (language: string, path: string) =>
  app.call('GET', path, { as: firm.as.owner, headers: { 'accept-language': language } })

describe('an answer', () => {
  test('a refusal is in the language of the request, and its code is the same', async () => {
    const [german, english] = [
      await asked('de-DE', '/v1/deposits/dep_none'),
      await asked('en', '/v1/deposits/dep_none'),
    ]
    expect([german.body.title, english.body.title]).toEqual(['Nicht gefunden', 'Not found'])
    expect([german.body.code, german.headers.get('content-language')]).toEqual(['not_found', 'de'])
    expect(english.headers.get('content-language')).toBeNull()
  })

  test('the role that somebody lacks is named in the language of the request', async () => {
    const headers = { 'accept-language': 'de' }
    const { body } = await app.call('GET', '/v1/audit', { as: firm.as.viewer, headers })
    expect(body.detail).toBe('Dafür ist die Rolle Manager oder höher nötig.')
  })

  test('the answer of a write is in the caller’s language, even if another caller’s write was committed with it', async () => {
    const refused = (language: string) =>
      app.call('PATCH', '/v1/traders/trd_none', {
        as: firm.as.owner,
        headers: { 'accept-language': language },
        body: { firstName: 'Ada' },
      })
    const answers = await Promise.all(['de', 'en', 'de', 'en'].map(refused))
    expect(answers.map(({ body }) => body.title)).toEqual([
      'Nicht gefunden',
      'Not found',
      'Nicht gefunden',
      'Not found',
    ])
  })
})

test('a mail is in the language of its recipient, whoever caused it', async () => {
  const owner = firm.as.owner
  const chosen = await app.call('PATCH', '/v1/auth/me', { as: owner, body: { locale: 'de' } })
  expect(chosen.status).toBe(200)
  expect((await app.call('GET', '/v1/auth/me', { as: owner })).body.locale).toBe('de')
  const invited = await app.call('POST', '/v1/users/invite', {
    as: owner,
    body: { email: 'new@words.test', displayName: 'New One', roles: ['admin'] },
  })
  expect(invited.status).toBe(201)
  const letters = await lettersTo(app, `owner@${firm.slug}.test`, firm)
  expect(JSON.stringify(letters)).toMatch(
    /Guten Tag .*New One \(new@words.test\) ist als Administrator eingeladen, durch /,
  )
})

test('listeners of a commit do not use the language of its caller', async () => {
  const heard: string[] = []
  app.platform.writer.onCommit(() => void heard.push(languageNow()))
  const body = { email: 'g@words.test', firstName: 'Gerda', lastName: 'Grün' }
  const made = await app.call('POST', '/v1/traders', { as: firm.as.owner, headers: { 'accept-language': 'de' }, body })
  expect(made.status).toBe(201)
  expect([...new Set(heard)]).toEqual(['en'])
})
