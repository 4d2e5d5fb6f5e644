import type { Static } from '@sinclair/typebox'
import type {
  BulkAssignOut,
  ConversionOut,
  IMPORT_FIELDS,
  ImportIn,
  ImportOut,
  Lead,
  LeadIn,
  LeadPatch,
} from '../../../src/modules/leads/leads.model.ts'
import { del, get, type Page, patch, post, type Query } from '../../api.ts'

export type { Lead }
export type LeadStatus = Lead['status']
export type NewLead = Static<typeof LeadIn>
export type LeadChange = Static<typeof LeadPatch>
export type ImportField = (typeof IMPORT_FIELDS)[number]
export type ImportReport = Static<typeof ImportOut>
export type Conversion = Static<typeof ConversionOut>

const at = (id: string): string => `/v1/leads/${id}`

export const fetchLeads = (query: Query): Promise<Page<Lead>> => get('/v1/leads', query)
export const fetchLead = (id: string): Promise<Lead> => get(at(id))
export const createLead = (body: NewLead): Promise<Lead> => post('/v1/leads', body)
export const updateLead = ({ id, version }: Lead, body: LeadChange): Promise<Lead> => patch(at(id), body, version)
export const deleteLead = ({ id, version }: Lead): Promise<void> => del(at(id), version)
export const convertLead = ({ id }: Lead): Promise<Conversion> => post(`${at(id)}/convert`)
export const assignLeads = (ids: string[], assignedTo: string | null): Promise<Static<typeof BulkAssignOut>> =>
  post('/v1/leads/bulk-assign', { ids, assignedTo })
export const importLeads = (body: Static<typeof ImportIn>): Promise<ImportReport> => post('/v1/leads/import', body)

/** How a lead is called: by name, else by what it can be reached at. */
export const leadName = ({ firstName, lastName, email, phone, id }: Lead): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email || phone || id
