/** The tasks for which a child may be started; `src/commands/run-task.ts` has the code of each. */
export const TASK_NAMES = [
  'affiliates.funnel',
  'backups.check',
  'backups.compare',
  'backups.snapshot',
  'body.unpack',
  'commissions.batch',
  'commissions.by-symbol',
  'commissions.explain',
  'commissions.totals',
  'ledger.check',
  'ledger.trial-balance',
  'limits.probe',
  'parquet.firm',
  'reports.activity',
  'reports.cohorts',
  'reports.dashboard',
  'reports.revenue',
  'reports.tax',
  'reports.tax-file',
  'sandbox.query',
  'sanctions.parse',
  'sanctions.screen',
  'standby.copy',
  'standby.prepare',
  'traders.stats',
  'workbooks.read',
] as const

/** The reads that a standby may do on a copy that is some seconds old; no write depends on what they find. */
const MAY_BE_OLD: ReadonlySet<string> = new Set<(typeof TASK_NAMES)[number]>([
  'affiliates.funnel',
  'commissions.by-symbol',
  'ledger.trial-balance',
  'reports.activity',
  'reports.cohorts',
  'reports.dashboard',
  'reports.revenue',
  'reports.tax',
  'reports.tax-file',
  'sandbox.query',
  'traders.stats',
])
export const mayBeOld = (name: string): name is TaskName => MAY_BE_OLD.has(name)
export type TaskName = (typeof TASK_NAMES)[number]
