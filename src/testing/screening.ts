import { performance } from 'node:perf_hooks'
import { ORDINARY_CLIENTS, screenInvented } from './screening/measure.ts'

/**
 * Prints how many invented listed people are found by their name in their own script although the list has only their
 * Latin name, and how many ordinary clients are taken for listed people; with `misses` also who. Usage: bun run
 * screening [-- misses]
 */
const showsNames = process.argv.includes('misses')
const print = (line: string): boolean => process.stdout.write(`${line}\n`)
const began = performance.now()
const { scripts, alarms, milliseconds } = screenInvented()
for (const { name, people, missed } of scripts) {
  print(`${name}: ${people - missed.length} of ${people} found`)
  if (showsNames) for (const who of missed) print(`  ${who}`)
}
print(`Ordinary names taken for somebody listed: ${alarms.length} of ${ORDINARY_CLIENTS}`)
if (showsNames) for (const who of alarms) print(`  ${who}`)
print(
  `A name is compared with a list in ${milliseconds.toFixed(2)} ms; ${Math.round(performance.now() - began)} ms in all`,
)
