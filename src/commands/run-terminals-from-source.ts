/** Starts the child that speaks to terminals if nothing is compiled, as `run-task-from-source.ts` does for tasks. */
import { runTerminals } from './run-terminals.ts'

process.umask(0o077)
await runTerminals()
