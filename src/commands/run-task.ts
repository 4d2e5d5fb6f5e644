import { parseListTask, screenTask } from '../modules/sanctions/sanctions.tasks.ts'
import { checkLedgerTask, trialBalanceTask } from '../modules/wallets/ledger.tasks.ts'
import { unpackBodyTask } from '../platform/http/spool.ts'

/** What a child of this program can be started for (`src/platform/query-runner/task.ts`): JSON in, JSON out, nothing else. */
const TASKS: Readonly<Record<string, (input: unknown) => unknown>> = {
  'body.unpack': unpackBodyTask,
  'ledger.check': checkLedgerTask,
  'ledger.trial-balance': trialBalanceTask,
  'sanctions.parse': parseListTask,
  'sanctions.screen': screenTask,
}

/** Runs one task with the JSON on standard input; returns the JSON text to print. */
export async function runTaskHere(name: string): Promise<string> {
  const task = TASKS[name]
  if (!task) throw new Error(`there is no task “${name}”`)
  return JSON.stringify(task(JSON.parse(await Bun.stdin.text())))
}
