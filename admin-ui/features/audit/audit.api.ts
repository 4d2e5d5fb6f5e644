import type { Static } from '@sinclair/typebox'
import type { AuditOut, FacetsOut, VerifyOut } from '../../../src/modules/audit/audit.model.ts'
import { get, type Page, type Query, withQuery } from '../../api.ts'

export type AuditEntry = Static<typeof AuditOut>
export type Facets = Static<typeof FacetsOut>
export type Verdict = Static<typeof VerifyOut>

export const fetchAudit = (query: Query): Promise<Page<AuditEntry>> => get('/v1/audit', query)
export const fetchFacets = (): Promise<Facets> => get('/v1/audit/facets')
/** Checks the log, and whether it contains an earlier line where one is given. */
export const verifyAudit = (anchor: string): Promise<Verdict> =>
  get('/v1/audit/verify', anchor === '' ? {} : { anchor })

/** Address of the CSV file of a filtered list. */
export const auditCsv = (query: Query): string => withQuery('/v1/audit/export.csv', query)
