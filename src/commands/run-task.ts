import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { readWorkbookTask } from '../modules/base/workbooks/workbooks.task.ts'
import { checkLedgerTask, trialBalanceTask } from '../modules/books/wallets/ledger.tasks.ts'
import { checkTask } from '../modules/box/backups/check.tasks.ts'
import { compareTask } from '../modules/box/backups/compare.tasks.ts'
import { snapshotTask } from '../modules/box/backups/snapshot.tasks.ts'
import { prepareTask } from '../modules/box/standby/prepare.tasks.ts'
import { parseListTask, screenTask } from '../modules/clients/sanctions/sanctions.tasks.ts'
import { traderStatsTask } from '../modules/clients/traders/traders.stats.ts'
import {
  commissionBatchTask,
  commissionsBySymbolTask,
  runTotalsTask,
} from '../modules/growth/commissions/commissions.tasks.ts'
import { writeFirmTask } from '../modules/overview/parquet/parquet.tasks.ts'
import { reportTasks } from '../modules/overview/reporting/reporting.tasks.ts'
import { sandboxTask } from '../modules/overview/sandbox/sandbox.tasks.ts'
import { unpackBodyTask } from '../platform/http/body/spool.ts'
import { limitThisProcess } from '../platform/query-runner/limits.ts'
import { probeTask } from '../platform/query-runner/probe.ts'
import { WithText } from '../platform/query-runner/task.ts'
import { isTaskName, type TaskName } from '../platform/query-runner/task-names.ts'
import { copyFollowedTask } from '../platform/standby/copy.task.ts'

/**
 * The tasks that a child of this program can run (`src/platform/query-runner/task.ts`). They read JSON and print JSON,
 * some with a text after it.
 */
const TASKS: Readonly<Record<TaskName, (input: unknown) => unknown>> = {
  'backups.check': checkTask,
  'backups.compare': compareTask,
  'backups.snapshot': snapshotTask,
  'body.unpack': unpackBodyTask,
  'commissions.batch': commissionBatchTask,
  'commissions.by-symbol': commissionsBySymbolTask,
  'commissions.totals': runTotalsTask,
  'ledger.check': checkLedgerTask,
  'limits.probe': probeTask,
  'ledger.trial-balance': trialBalanceTask,
  'parquet.firm': writeFirmTask,
  ...reportTasks,
  'sandbox.query': sandboxTask,
  'sanctions.parse': parseListTask,
  'sanctions.screen': screenTask,
  'standby.copy': copyFollowedTask,
  'standby.prepare': prepareTask,
  'traders.stats': traderStatsTask,
  'workbooks.read': readWorkbookTask,
}

const Order = Type.Object({
  cpuSeconds: Type.Integer({ minimum: 1 }),
  bytes: Type.Integer({ minimum: 1 }),
  input: Type.Unknown(),
})

/** Returns what a task prints: its answer as JSON, and for some a text after it. */
export async function answerTask(name: TaskName, input: unknown): Promise<string> {
  const result = await TASKS[name](input)
  return result instanceof WithText ? `${JSON.stringify(result.value)}\n${result.text}` : JSON.stringify(result)
}

/** Runs one task within its limits with the JSON on standard input; returns the text to print. */
export async function runTaskHere(name: string): Promise<string> {
  if (!isTaskName(name)) throw new Error(`there is no task “${name}”`)
  const { cpuSeconds, bytes, input } = Value.Decode(Order, JSON.parse(await Bun.stdin.text()))
  limitThisProcess({ cpuSeconds, bytes })
  return answerTask(name, input)
}
