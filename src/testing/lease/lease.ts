import { numberOption } from '../options.ts'
import type { Mutation } from './server.ts'
import { walk } from './walk.ts'

/**
 * Runs the lease of a replica's place through random schedules of two servers. Runs it without each of its rules too,
 * to prove that the walks notice. Usage: bun run lease -- [--walks 100000] [--mutated 2000] [--seed 1]
 */
const WALKS = numberOption('walks', 2_000)
const MUTATED = numberOption('mutated', 2_000)
const SEED = numberOption('seed', 1)
const MUTATIONS = {
  sure: 'answers leave however old the last renewal is',
  outwait: 'a place whose holder was silent is taken without waiting until that holder cannot be sure any more',
  claim: 'nobody claims a history, and nobody looks for claims',
} as const satisfies Record<Exclude<Mutation, 'none'>, string>

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Walks until a fault; returns the number of the walk and the fault, or the totals of all walks if there is none. */
async function walkAll(walks: number, mutation: Mutation) {
  let takings = 0
  let acknowledged = 0
  for (let number = 0; number < walks; number += 1) {
    const walked = await walk(SEED + number, mutation)
    takings += walked.takings
    acknowledged += walked.acknowledged
    if (walked.fault !== null) return { number, takings, acknowledged, fault: walked.fault }
  }
  return { number: walks, takings, acknowledged, fault: null }
}

let failed = 0
const whole = await walkAll(WALKS, 'none')
print(
  whole.fault === null
    ? `${WALKS} schedules, ${whole.takings} takings-over, ${whole.acknowledged} acknowledged writes: none lost, never two at once`
    : `schedule ${SEED + whole.number}: ${whole.fault}`,
)
if (whole.fault !== null) failed += 1
for (const mutation of ['sure', 'outwait', 'claim'] as const) {
  const { number, fault } = await walkAll(MUTATED, mutation)
  print(`${MUTATIONS[mutation]}: ${fault === null ? `not noticed in ${MUTATED}` : `noticed at ${number}: ${fault}`}`)
  if (fault === null) failed += 1
}
print(`${4 - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
