import { TEXTS } from './hostile.ts'

/** A text of this many characters takes a linear pattern milliseconds, and a quadratic one minutes. */
const LENGTH = 512 * 1024

/** Matches each pattern of a JSON list on standard input with every slow text; prints each pattern before it begins. */
for (const pattern of await Bun.stdin.json()) {
  process.stdout.write(`${pattern}\n`)
  for (const text of Object.values(TEXTS)) new RegExp(pattern, 'u').test(text(LENGTH))
}
process.stdout.write('done\n')
