import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, loadConfig } from '../config.ts'
import type { Platform } from '../platform/platform.ts'
import { wordsToKey } from '../platform/recovery-words.ts'
import { recoveryKey } from './recovery-key.ts'
import { setup } from './setup.ts'
import { withPlatform } from './with-platform.ts'

const EMAIL = 'boss@firm.test'
const PASSWORD = 'correct horse battery'
let config: Config
beforeEach(async () => {
  config = loadConfig({ 'data-dir': mkdtempSync(join(tmpdir(), 'brokerbase-test-')) }, { env: {} })
  await setup(config, { tenant: 'Firm', email: EMAIL, password: PASSWORD })
})
afterEach(() => rmSync(config.dataDir, { recursive: true }))

/** Runs the command with answers that may depend on the text so far. */
async function run(answer: (question: string, said: string) => string): Promise<string> {
  let said = ''
  await recoveryKey(config, {
    ask: async (question) => answer(question, said),
    tell: (text) => {
      said += text
    },
  })
  return said
}
const wordsIn = (said: string): string[] => [...said.matchAll(/\d+\. ([a-z]+)/g)].map(([, word = '']) => word)
const signIn = (question: string, password = PASSWORD): string | undefined =>
  question.startsWith('E-mail')
    ? EMAIL
    : question.startsWith('Password')
      ? password
      : question.startsWith('Code')
        ? ''
        : undefined
const looked = <T>(look: (platform: Platform) => T): Promise<T> =>
  withPlatform(config, async (platform) => look(platform))

test('`recovery-key` shows the words, and notes that they are kept once three are typed back', async () => {
  const said = await run((question, shown) => {
    const place = Number(/^Word (\d+)/.exec(question)?.[1])
    return signIn(question) ?? wordsIn(shown)[place - 1] ?? ''
  })
  const stored = Buffer.from(readFileSync(join(config.dataDir, 'secret.key'), 'utf8').trim(), 'base64')
  expect(Buffer.from(wordsToKey(wordsIn(said).join(' ')))).toEqual(stored)
  expect((await looked(({ recoveryKey: key }) => key.kept()))?.value.how).toBe('words')
  const actions = await looked(({ reader }) => reader.all<{ action: string }>('SELECT action FROM audit ORDER BY seq'))
  expect(actions.map(({ action }) => action).slice(-2)).toEqual(['recovery_key.show', 'recovery_key.kept'])
})

test('`recovery-key` asks for words again after a wrong one, until a sentence says where the key is', async () => {
  let rounds = 0
  const said = await run((question) => {
    if (question.startsWith('Where')) return 'In the safe of the notary.'
    if (question.startsWith('Word')) {
      rounds += 1
      return rounds <= 3 ? 'zoo' : ''
    }
    return signIn(question) ?? ''
  })
  expect(said).toContain('Not all of these are the words of the key')
  expect((await looked(({ recoveryKey: key }) => key.kept()))?.value).toMatchObject({
    how: 'elsewhere',
    statement: 'In the safe of the notary.',
  })
})

test('the recovery key is not noted as kept if a person only presses Enter', async () => {
  let asked = 0
  const said = await run((question) => {
    if (question.startsWith('Where')) {
      asked += 1
      return asked < 3 ? '' : 'In the safe of the notary.'
    }
    return signIn(question) ?? ''
  })
  expect(asked).toBe(3)
  expect(said).toContain('Say where the key is')
  expect((await looked(({ recoveryKey: key }) => key.kept()))?.value.statement).toBe('In the safe of the notary.')
})

test('`recovery-key` shows no words after a wrong password', async () => {
  let said = ''
  const tried = recoveryKey(config, {
    ask: async (question) => signIn(question, 'another password') ?? '',
    tell: (text) => {
      said += text
    },
  })
  await expect(tried).rejects.toThrow('not right')
  expect(said).toBe('')
  expect(await looked(({ recoveryKey: key }) => key.kept())).toBeUndefined()
})
