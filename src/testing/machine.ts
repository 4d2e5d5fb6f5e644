import { findGain, OURS } from './money-machine.ts'

/**
 * Looks for a way in which a client makes money by converting, in random rate sets; a counter-example is printed and
 * the command fails. Usage: bun run machine -- [--cases 100000]
 */
const index = process.argv.indexOf('--cases')
const CASES = index === -1 ? 10_000 : Number(process.argv[index + 1])
if (!Number.isInteger(CASES) || CASES < 1) {
  process.stderr.write('--cases takes a whole number above zero\n')
  process.exit(2)
}

const gain = findGain(OURS, CASES)
if (gain !== null) {
  process.stderr.write(`${gain}\n`)
  process.exit(1)
}
process.stdout.write(`${CASES} cases, no gain\n`)
