import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { owners } from '../composition.ts'
import type { Config } from '../config.ts'
import { noteRecoveryKeyKept, recordShown } from '../modules/box/system/recovery-key.service.ts'
import { proveAdministrator } from '../modules/firm/auth/auth.administrator.ts'
import { createCtx } from '../platform/access/ctx.ts'
import { Problem } from '../platform/problem.ts'
import { drawPlaces } from '../platform/recovery-key.ts'
import { say } from '../words/say.ts'
import { withPlatform } from './with-platform.ts'

/** Asks a person one question at a time; a secret answer is not echoed. */
export type Dialogue = {
  ask(question: string, options?: { secret?: boolean }): Promise<string>
  tell(text: string): void
}

/** Returns four words a line, each with its number. */
const inLines = (words: readonly string[]): string =>
  words
    .map((word, index) => `${String(index + 1).padStart(4)}. ${word.padEnd(10)}${index % 4 === 3 ? '\n' : ''}`)
    .join('')

/**
 * Shows the key of the installation to one of its administrators. Notes that it is kept once three of its words were
 * typed back, or a sentence says where the key is. Throws a sentence for a wrong password or code.
 */
export async function recoveryKey(config: Config, { ask, tell }: Dialogue): Promise<void> {
  await withPlatform(config, async (platform) => {
    const nobody = { principal: { kind: 'system', id: 'recovery-key' }, tenantId: '', requestId: 'command' } as const
    const person = await proveAdministrator(createCtx(platform, { ...nobody, ip: null }), owners, {
      email: await ask(say('system.command.email')),
      password: await ask(say('system.command.password'), { secret: true }),
      code: await ask(say('system.command.code')),
    })
    await recordShown(person)
    const words = platform.recoveryKey.words()
    tell(`\n${say('system.page.write_down')}\n\n${inLines(words)}\n`)
    const places = drawPlaces(words.length)
    for (;;) {
      tell(`${say('system.command.type_back')}\n`)
      const given: { place: number; word: string }[] = []
      for (const place of places) {
        const word = await ask(say('system.command.word_at', { place }))
        if (word === '') break
        given.push({ place, word })
      }
      try {
        await noteRecoveryKeyKept(
          person,
          platform.recoveryKey,
          given.length === places.length ? { words: given } : { elsewhere: await ask(say('system.command.elsewhere')) },
        )
        return tell(`${say('system.page.noted')}\n`)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        const why = error.errors.map(({ message }) => message)
        tell(`${[error.message, ...why].join('\n')}\n\n`)
      }
    }
  })
}

/** Returns the dialogue of a terminal; without one, it reads lines for scripts. Throws if the input ends too early. */
export function terminal(): Dialogue & { close(): void } {
  const isTerminal = process.stdin.isTTY === true
  let isSecret = false
  const output = new Writable({
    write: (chunk, _, done) => {
      if (!isSecret) process.stdout.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: isTerminal })
  const ended = new AbortController()
  lines.once('close', () => ended.abort())
  // the iterator keeps lines that come before they are asked for
  const piped = isTerminal ? null : lines[Symbol.asyncIterator]()
  const read = async (question: string, secret: boolean): Promise<string | undefined> => {
    if (piped) return (await piped.next()).value
    const answer = lines.question(question, { signal: ended.signal }).catch(() => undefined)
    isSecret = secret
    const line = await answer
    isSecret = false
    if (secret) process.stdout.write('\n')
    return line
  }
  return {
    ask: async (question, { secret = false } = {}) => {
      const line = await read(question, secret)
      if (line === undefined) throw new Error('The input ended before everything was answered.')
      return line.trim()
    },
    tell: (text) => void process.stdout.write(text),
    close: () => lines.close(),
  }
}
