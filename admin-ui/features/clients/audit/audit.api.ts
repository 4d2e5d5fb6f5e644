import { type Answer, call, type QueryOf, type Row } from '../../../api.ts'

export type AuditEntry = Row<'audit.list'>
export type Facets = Answer<'audit.facets'>
export type Verdict = Answer<'audit.verify'>

export const fetchAudit = (query: QueryOf<'audit.list'>) => call('audit.list', { query })
export const fetchFacets = () => call('audit.facets')
/** Verifies the chain of the log, and that it contains an earlier line if one is given. */
export const verifyAudit = (anchor: string) => call('audit.verify', { query: { anchor } })
