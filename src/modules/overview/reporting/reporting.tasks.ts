import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Reader } from '../../../platform/db/reader.ts'
import { readInChild } from '../../../platform/query-runner/in-child.ts'
import { FunnelParams, readFunnel } from '../../growth/affiliates/funnel.queries.ts'
import { ExplainParams, explained } from '../../growth/commissions/lines.queries.ts'
import { ActivityParams, readActivity } from './activity.queries.ts'
import { CohortsParams, readCohorts } from './cohorts.queries.ts'
import { DashboardParams, readDashboard } from './dashboard.queries.ts'
import { RevenueParams, readRevenue } from './revenue.queries.ts'
import { readTaxPage, TaxPageParams } from './tax.count.ts'
import { readTaxFile } from './tax.file.ts'
import { TaxParams } from './tax.queries.ts'

const task =
  <P extends TSchema, R>(Params: P, read: (db: Reader, params: Static<P>) => R) =>
  (input: unknown): R =>
    readInChild(input, (db) => read(db, Value.Decode(Params, Value.Clean(Params, structuredClone(input)))))

/** The tasks that read a report of one firm in a child. */
export const reportTasks = {
  'affiliates.funnel': task(FunnelParams, readFunnel),
  'commissions.explain': task(ExplainParams, explained),
  'reports.activity': task(ActivityParams, readActivity),
  'reports.cohorts': task(CohortsParams, readCohorts),
  'reports.dashboard': task(DashboardParams, readDashboard),
  'reports.revenue': task(RevenueParams, readRevenue),
  'reports.tax': task(TaxPageParams, readTaxPage),
  'reports.tax-file': task(TaxParams, readTaxFile),
}
