import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wordsToKey } from '../../../platform/recovery-words.ts'
import { createTestApp, SETUP_TOKEN, type TestApp } from '../../../testing/app.ts'
import { pickCookie } from '../../../testing/sign-in.ts'

const PASSWORD = 'correct horse battery'
const KEY = '/v1/system/recovery-key'
let app: TestApp
let cookie: string
beforeEach(async () => {
  app = createTestApp()
  const input = { tenantName: 'Firm', email: 'boss@firm.test', displayName: 'Boss', password: PASSWORD }
  await app.call('POST', '/v1/setup', { body: { token: SETUP_TOKEN, ...input } })
  const signedIn = await app.call('POST', '/v1/auth/login', { body: { email: input.email, password: PASSWORD } })
  cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
})
afterEach(() => app.close())

const ask = async (method: string, path: string, body?: object) => {
  const answer = await app.call(method, path, {
    headers: { cookie, origin: 'http://localhost' },
    ...(body ? { body } : {}),
  })
  cookie = pickCookie(answer, 'crm_session') ?? cookie
  return answer
}
const wordsShown = async (): Promise<string[]> => (await ask('POST', `${KEY}/words`)).body.words
const keep = (body: object) => ask('POST', `${KEY}/kept`, body)
const kept = async () => (await ask('GET', KEY)).body.kept
const placed = (words: readonly string[], ...places: number[]) =>
  places.map((place) => ({ place, word: words[place - 1] }))

test('the administrator reads the recovery key as words that give the same key', async () => {
  const answer = await ask('POST', `${KEY}/words`)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const stored = Buffer.from(readFileSync(join(app.platform.config.dataDir, 'secret.key'), 'utf8').trim(), 'base64')
  expect(Buffer.from(wordsToKey(answer.body.words.join(' ')))).toEqual(stored)
  const { reader } = app.platform
  expect(reader.all(`SELECT action FROM audit WHERE action = 'recovery_key.show'`)).toHaveLength(1)
  const [mail] = reader.all<{ subject: string }>(`SELECT subject FROM mails ORDER BY id DESC LIMIT 1`)
  expect(mail?.subject).toBe('The recovery key was shown')
  // neither the audit nor a mail has three of the words together; single words may occur anywhere
  const three = answer.body.words.slice(0, 3).join('|')
  for (const table of ['audit', 'events', 'idempotency', 'mails'])
    expect(JSON.stringify(reader.all(`SELECT * FROM ${table}`)).replace(/[^a-z]+/g, '|')).not.toContain(three)
})

test('reading the words of the recovery key needs the password again after a minute', async () => {
  app.clock.advance(61_000)
  const late = await ask('POST', `${KEY}/words`)
  expect([late.status, late.body.code]).toEqual([403, 'reauthentication_required'])
  expect((await ask('POST', '/v1/auth/reauthenticate', { password: PASSWORD })).status).toBe(200)
  expect(await wordsShown()).toHaveLength(24)
})

test('a repeated Idempotency-Key does not get the words again', async () => {
  const headers = { cookie, origin: 'http://localhost', 'idempotency-key': 'once' }
  const first = await app.call('POST', `${KEY}/words`, { headers })
  app.clock.advance(61_000)
  const again = await app.call('POST', `${KEY}/words`, { headers })
  expect([first.status, again.status]).toEqual([200, 403])
})

test('three typed words prove that the recovery key is kept', async () => {
  expect(await kept()).toBeNull()
  const words = await wordsShown()
  const answer = await keep({ words: placed(words, 3, 24, 11) })
  expect(answer.status).toBe(200)
  expect(answer.body.kept).toMatchObject({ how: 'words', statement: null })
  expect(await kept()).toEqual(answer.body.kept)
})

test('a statement of where the recovery key is also counts as keeping it, and is in the audit', async () => {
  const statement = 'Printed, in the safe of the notary Meier.'
  expect((await keep({ elsewhere: statement })).body.kept).toMatchObject({ how: 'elsewhere', statement })
  const written = await ask('GET', '/v1/audit?action=recovery_key.kept')
  expect(written.body.data.map(({ after }: { after: { statement: string } }) => after.statement)).toEqual([statement])
})

test('wrong words of the recovery key get the same refusal, whichever they are, and nothing is noted', async () => {
  const words = await wordsShown()
  const wrong = (place: number) => ({ place, word: words[place - 1] === 'zoo' ? 'zone' : 'zoo' })
  // with different refusals each word could be guessed separately
  const answers = [
    await keep({ words: [wrong(1), wrong(5), wrong(6)] }),
    await keep({ words: [wrong(1), ...placed(words, 5, 6)] }),
    await keep({ words: [...placed(words, 1, 5), wrong(6)] }),
  ].map(({ status, body: { requestId, ...said } }) => ({ status, said }))
  expect(answers[0]).toMatchObject({ status: 422, said: { code: 'system.wrong_words' } })
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await kept()).toBeNull()
})

test.each([
  ['nothing', () => ({}), 'words'],
  ['both', (words: string[]) => ({ words: placed(words, 1, 2, 3), elsewhere: 'In the safe of the office.' }), 'words'],
  ['two words', (words: string[]) => ({ words: placed(words, 1, 2) }), 'words'],
  ['one place three times', (words: string[]) => ({ words: placed(words, 7, 7, 7) }), 'words.1.place'],
  ['a place that is none', () => ({ words: placed(Array(25).fill('zoo'), 1, 2, 25) }), 'words.2.place'],
])('a proof of the recovery key with %s is refused', async (_, body, path) => {
  const answer = await keep(body(await wordsShown()))
  expect([answer.status, answer.body.errors[0].path]).toEqual([422, path])
  expect(await kept()).toBeNull()
})

test('only the box’s administrator may read the recovery key or declare it kept, and never with a key', async () => {
  const firm = await app.firm('other')
  for (const as of [firm.as.owner, await firm.key(['auth:read', 'auth:write'])]) {
    for (const [method, path, body] of [
      ['GET', KEY, undefined],
      ['POST', `${KEY}/words`, undefined],
      ['POST', `${KEY}/kept`, { elsewhere: 'In the safe of the office.' }],
    ] as const)
      expect((await app.call(method, path, { as, ...(body ? { body } : {}) })).status).toBe(403)
  }
  expect(await kept()).toBeNull()
})

test('a person with a password given by a colleague may neither read the recovery key nor declare it kept', async () => {
  const { connection, writer } = app.platform
  await writer.submit(() => connection.run('UPDATE credentials SET must_change = 1'))
  for (const answer of [await ask('POST', `${KEY}/words`), await keep({ elsewhere: 'In the safe of the office.' })])
    expect([answer.status, answer.body.code]).toEqual([403, 'password_change_required'])
  expect(await kept()).toBeNull()
})
