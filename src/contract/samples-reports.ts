import { body, type Make } from './sample.ts'

export const reportSamples: Readonly<Record<string, Make>> = {
  'POST /v1/admin/reports/sql': body(() => ({
    sql: 'SELECT status, count(*) AS clients FROM traders GROUP BY status',
  })),
}
