import { findGain, OURS } from './money-machine.ts'
import { numberOption } from './options.ts'

/**
 * Looks for a way in which a client makes money by converting, in random sets of rates. If there is one, prints a
 * counter-example and fails. Usage: bun run machine -- [--cases 100000]
 */
const CASES = numberOption('cases', 10_000)

const gain = findGain(OURS, CASES)
if (gain !== null) {
  process.stderr.write(`${gain}\n`)
  process.exit(1)
}
process.stdout.write(`${CASES} cases, no gain\n`)
