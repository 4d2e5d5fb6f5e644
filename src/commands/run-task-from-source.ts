/**
 * Starts a child if nothing is compiled: `main.ts` would load the whole server, which takes longer than most tasks. It
 * does the same as `run-task` of the program.
 */
import { runTaskHere } from './run-task.ts'

process.umask(0o077)
try {
  process.stdout.write(await runTaskHere(process.argv[3] ?? ''))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
