import type { Column } from '../../../components/lists/data-list.tsx'
import { NAME_WIDTH } from '../../../components/lists/list-column.ts'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import { nameCell } from '../../../lib/csv/list-csv.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { type Choice, choices } from '../../../lib/text/choices.ts'
import { COUNTRIES, countryName } from '../../../lib/text/countries.ts'
import { phoneText } from '../../../lib/text/phone-text.ts'
import { type Lead, type LeadStatus, leadName } from './leads.api.ts'
import { say } from './words.ts'

export const LEAD_STATES: Record<LeadStatus, { label: string; tone: Tone }> = {
  new: { label: say('leads.new'), tone: 'info' },
  contacted: { label: say('leads.contacted'), tone: 'wait' },
  nurture: { label: say('leads.nurture'), tone: 'wait' },
  qualified: { label: say('leads.qualified'), tone: 'good' },
  converted: { label: say('leads.converted'), tone: 'good' },
  unqualified: { label: say('leads.unqualified'), tone: 'off' },
  junk: { label: say('leads.junk'), tone: 'off' },
}

export const isLeadStatus = (value: string): value is LeadStatus => Object.hasOwn(LEAD_STATES, value)

/** From each status a lead may move to these. Conversion is a separate act. */
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
    label: say('field.status'),
    options: choices(LEAD_STATES),
  },
  { key: 'assignedTo', label: say('field.assignedTo'), options: staff, several: true },
  { key: 'country', label: say('field.country'), options: COUNTRIES, several: true },
  { key: 'source', label: say('field.source') },
  { key: 'from', until: 'to', label: say('leads.added.filter'), kind: 'days' },
]

const NAME: Column<Lead> = {
  key: 'name',
  file: ({ firstName, lastName, email, phone }) =>
    [firstName, lastName].filter(Boolean).join(' ') || email || phone || '',
  title: say('common.name'),
  sort: 'name',
  upFirst: true,
  render: leadName,
}

export const leadColumns = (staff: (id: string | null) => string | null): readonly Column<Lead>[] => [
  NAME,
  {
    key: 'status',
    file: nameCell(LEAD_STATES),
    title: say('field.status'),
    sort: 'status',
    upFirst: true,
    render: ({ status }) => <LeadStatusBadge status={status} />,
  },
  {
    key: 'email',
    title: say('field.email'),
    wide: true,
    card: true,
    render: ({ email }) => orDash(email && <span className="rows-short">{email}</span>),
    renderCard: ({ email, phone }) => email ?? (phone && phoneText(phone)),
  },
  {
    key: 'phone',
    title: say('field.phone'),
    wide: true,
    optional: true,
    render: ({ phone }) => orDash(phone && phoneText(phone)),
  },
  {
    key: 'country',
    file: { words: countryName },
    title: say('field.country'),
    wide: true,
    render: ({ country }) => orDash(country && <span className="rows-short">{countryName(country)}</span>),
  },
  { key: 'source', title: say('field.source'), wide: true, render: ({ source }) => orDash(source) },
  {
    key: 'campaign',
    title: say('leads.campaign'),
    wide: true,
    optional: true,
    render: ({ campaign }) => orDash(campaign),
  },
  {
    key: 'assignedTo',
    title: say('field.assignedTo'),
    width: NAME_WIDTH,
    wide: true,
    card: true,
    render: ({ assignedTo }) => orDash(staff(assignedTo)),
  },
  {
    key: 'createdAt',
    title: say('leads.added'),
    sort: 'createdAt',
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} as="ago" />,
  },
]
