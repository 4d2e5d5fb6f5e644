import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Config } from '../config.ts'
import { proveAdministrator } from '../modules/auth/auth.administrator.ts'
import { noteRecoveryKeyKept, recordShown } from '../modules/system/recovery-key.service.ts'
import { WORDS_BACK } from '../modules/system/system.model.ts'
import { createCtx } from '../platform/access/ctx.ts'
import { Problem } from '../platform/http/problem.ts'
import { say } from '../words/say.ts'
import { withPlatform } from './with-platform.ts'

/** Asks a person one thing at a time; what is secret does not appear as it is typed. */
export type Dialogue = {
  ask(question: string, options?: { secret?: boolean }): Promise<string>
  tell(text: string): void
}

/** Places of words to be typed back, another three each time, in the order of the list. */
const somePlaces = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index + 1)
    .sort(() => Math.random() - 0.5)
    .slice(0, WORDS_BACK)
    .sort((a, b) => a - b)

/** Four words a line, each with its number. */
const inLines = (words: readonly string[]): string =>
  words
    .map((word, index) => `${String(index + 1).padStart(4)}. ${word.padEnd(10)}${index % 4 === 3 ? '\n' : ''}`)
    .join('')

/**
 * Shows the key of the installation to one of its administrators, and notes that it is kept once three of its words
 * were typed back, or a sentence said where it is. Throws in words where the password or code is not right.
 */
export async function recoveryKey(config: Config, { ask, tell }: Dialogue): Promise<void> {
  await withPlatform(config, async (platform) => {
    const nobody = { principal: { kind: 'system', id: 'recovery-key' }, tenantId: '', requestId: 'command' } as const
    const person = await proveAdministrator(createCtx(platform, { ...nobody, ip: null }), {
      email: await ask(say('system.command.email')),
      password: await ask(say('system.command.password'), { secret: true }),
      code: await ask(say('system.command.code')),
    })
    await recordShown(person)
    const words = platform.recoveryKey.words()
    tell(`\n${say('system.page.write_down')}\n\n${inLines(words)}\n`)
    const places = somePlaces(words.length)
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
        tell(`${error.message}\n\n`)
      }
    }
  })
}

/** The dialogue of a terminal. Without one lines are read as they come, for scripts. Throws at the end of the input. */
export function terminal(): Dialogue & { close(): void } {
  let isSecret = false
  const output = new Writable({
    write: (chunk, _, done) => {
      if (!isSecret) process.stdout.write(chunk)
      done()
    },
  })
  const isTerminal = process.stdin.isTTY === true
  const lines = createInterface({ input: process.stdin, output, terminal: isTerminal })
  const read: string[] = []
  const waiting: ((line: string | undefined) => void)[] = []
  let ended = false
  lines.on('line', (line) => {
    const next = waiting.shift()
    if (next) next(line)
    else read.push(line)
  })
  lines.on('close', () => {
    ended = true
    for (const next of waiting.splice(0)) next(undefined)
  })
  return {
    ask: async (question, { secret = false } = {}) => {
      process.stdout.write(question)
      isSecret = secret && isTerminal
      const line =
        read.shift() ?? (ended ? undefined : await new Promise<string | undefined>((next) => waiting.push(next)))
      if (isSecret) process.stdout.write('\n')
      isSecret = false
      if (line === undefined) throw new Error('The input ended before everything was answered.')
      return line.trim()
    },
    tell: (text) => void process.stdout.write(text),
    close: () => lines.close(),
  }
}
