import { type Answer, type Body, call, type QueryOf } from '../../../api.ts'

export type Lead = Answer<'leads.get'>
export type LeadStatus = Lead['status']
type NewLead = Body<'leads.create'>
type LeadChange = Body<'leads.update'>
export type ImportField = Body<'leads.import'>['mapping'][string]
export type ImportReport = Answer<'leads.import'>

export const fetchLeads = (query: QueryOf<'leads.list'>) => call('leads.list', { query })
export const fetchLead = (id: string) => call('leads.get', { params: { id } })
export const createLead = (body: NewLead) => call('leads.create', { body })
export const updateLead = ({ id, version }: Pick<Lead, 'id' | 'version'>, body: LeadChange) =>
  call('leads.update', { params: { id }, body, ifMatch: version })
export const deleteLead = ({ id, version }: Lead) => call('leads.delete', { params: { id }, ifMatch: version })
export const restoreLead = (id: string) => call('leads.restore', { params: { id } })
export const convertLead = ({ id }: Lead) => call('leads.convert', { params: { id } })
export const assignLeads = (ids: string[], assignedTo: string | null) =>
  call('leads.bulkAssign', { body: { ids, assignedTo } })
export const importLeads = (body: Body<'leads.import'>) => call('leads.import', { body })

/** Returns the name of a lead, or else its e-mail address, phone number or id. */
export const leadName = ({ firstName, lastName, email, phone, id }: Lead): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email || phone || id
