/**
 * The tasks for which a child may be started; `src/commands/run-task.ts` has the code of each. A read of the kind `old`
 * may be done by a standby, on a copy that is some seconds old: no write depends on what it finds.
 */
const TASKS = {
  'affiliates.funnel': 'old',
  'backups.check': 'now',
  'backups.compare': 'now',
  'backups.snapshot': 'now',
  'body.unpack': 'now',
  'commissions.batch': 'now',
  'commissions.by-symbol': 'old',
  'commissions.explain': 'now',
  'commissions.totals': 'now',
  'ledger.check': 'now',
  'ledger.trial-balance': 'old',
  'limits.probe': 'now',
  'parquet.firm': 'now',
  'reports.activity': 'old',
  'reports.cohorts': 'old',
  'reports.dashboard': 'old',
  'reports.revenue': 'old',
  'reports.tax': 'old',
  'reports.tax-file': 'old',
  'sandbox.query': 'old',
  'sanctions.parse': 'now',
  'sanctions.screen': 'now',
  'standby.copy': 'now',
  'standby.prepare': 'now',
  'traders.stats': 'old',
  'workbooks.read': 'now',
} as const satisfies Readonly<Record<string, 'old' | 'now'>>
export type TaskName = keyof typeof TASKS

export const isTaskName = (name: string): name is TaskName => Object.hasOwn(TASKS, name)
export const mayBeOld = (name: TaskName): boolean => TASKS[name] === 'old'
