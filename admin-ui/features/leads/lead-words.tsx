import { orDash } from '../../components/dash.tsx'
import type { Column } from '../../components/data-list.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { type Choice, choices } from '../../lib/choices.ts'
import { COUNTRIES, countryName } from '../../lib/countries.ts'
import type { FilterOf } from '../../lib/filters.ts'
import { type Lead, type LeadStatus, leadName } from './leads.api.ts'

export const LEAD_STATES: Record<LeadStatus, { label: string; tone: Tone }> = {
  new: { label: 'New', tone: 'info' },
  contacted: { label: 'Contacted', tone: 'wait' },
  nurture: { label: 'Nurture', tone: 'wait' },
  qualified: { label: 'Qualified', tone: 'good' },
  converted: { label: 'Converted', tone: 'good' },
  unqualified: { label: 'Unqualified', tone: 'off' },
  junk: { label: 'Junk', tone: 'off' },
}

export const isLeadStatus = (value: string): value is LeadStatus => Object.hasOwn(LEAD_STATES, value)

/** Where a lead may go from where it is. Conversion is an act of its own. */
export const NEXT: Record<LeadStatus, readonly Exclude<LeadStatus, 'converted'>[]> = {
  new: ['contacted', 'nurture', 'qualified', 'unqualified', 'junk'],
  contacted: ['new', 'nurture', 'qualified', 'unqualified', 'junk'],
  nurture: ['new', 'contacted', 'qualified', 'unqualified', 'junk'],
  qualified: ['new', 'contacted', 'nurture', 'unqualified', 'junk'],
  unqualified: ['new', 'contacted', 'nurture', 'qualified'],
  junk: ['new'],
  converted: [],
}
const CONVERTIBLE: readonly LeadStatus[] = ['new', 'contacted', 'nurture', 'qualified']
export const mayConvert = ({ status }: Lead): boolean => CONVERTIBLE.includes(status)

export const LeadStatusBadge = ({ status }: { status: LeadStatus }) => (
  <StatusBadge status={status} {...LEAD_STATES[status]} />
)

export const leadFilters = (staff: readonly Choice[]): readonly FilterOf<'leads.list'>[] => [
  {
    key: 'status',
    label: 'Status',
    options: choices(LEAD_STATES),
  },
  { key: 'assignedTo', label: 'Assigned to', options: staff, several: true },
  { key: 'country', label: 'Country', options: COUNTRIES, several: true },
  { key: 'source', label: 'Source' },
  { key: 'from', until: 'to', label: 'Came in', kind: 'days' },
]

export const leadColumns = (staff: (id: string | null) => string | null): readonly Column<Lead>[] => [
  { key: 'name', title: 'Name', render: leadName },
  { key: 'status', title: 'Status', render: ({ status }) => <LeadStatusBadge status={status} /> },
  { key: 'email', title: 'E-mail', wide: true, render: ({ email }) => orDash(email) },
  { key: 'phone', title: 'Phone', wide: true, optional: true, render: ({ phone }) => orDash(phone) },
  { key: 'country', title: 'Country', wide: true, render: ({ country }) => orDash(country && countryName(country)) },
  { key: 'source', title: 'Source', wide: true, render: ({ source }) => orDash(source) },
  { key: 'campaign', title: 'Campaign', wide: true, optional: true, render: ({ campaign }) => orDash(campaign) },
  { key: 'assignedTo', title: 'Assigned to', wide: true, render: ({ assignedTo }) => orDash(staff(assignedTo)) },
  {
    key: 'createdAt',
    title: 'Added',
    sort: 'createdAt',
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} as="ago" />,
  },
]
