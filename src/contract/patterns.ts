import { TEXTS } from './hostile.ts'

/** A linear pattern takes milliseconds for a text of this many characters, a quadratic one minutes. */
const LENGTH = 512 * 1024

/** Matches each pattern of a JSON list on standard input with every slow text; prints the pattern before. */
for (const pattern of await Bun.stdin.json()) {
  process.stdout.write(`${pattern}\n`)
  for (const text of Object.values(TEXTS)) new RegExp(pattern, 'u').test(text(LENGTH))
}
process.stdout.write('done\n')
