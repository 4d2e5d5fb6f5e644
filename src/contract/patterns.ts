import { TEXTS } from './hostile.ts'

/** Characters of a text: a pattern in linear time takes milliseconds for them, a quadratic one minutes. */
const LENGTH = 512 * 1024

/**
 * Matches each pattern of a list on standard input (JSON) with all texts that patterns stumble over; names it first.
 */
for (const pattern of await Bun.stdin.json()) {
  process.stdout.write(`${pattern}\n`)
  for (const text of Object.values(TEXTS)) new RegExp(pattern, 'u').test(text(LENGTH))
}
process.stdout.write('done\n')
