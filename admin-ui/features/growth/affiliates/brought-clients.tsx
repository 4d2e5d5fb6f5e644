import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { type BroughtClient, fetchClients } from './affiliates.api.ts'
import { say } from './words.ts'

const yesNo = (yes: boolean): string => (yes ? say('affiliates.yes') : say('affiliates.no'))
const COLUMNS: readonly Column<BroughtClient>[] = [
  {
    key: 'name',
    title: say('affiliates.form.client'),
    render: ({ firstName, lastName, id }) => [firstName, lastName].filter(Boolean).join(' ') || id,
  },
  { key: 'email', title: say('field.email'), wide: true, render: ({ email }) => orDash(email) },
  { key: 'kyc', title: say('affiliates.client.kyc'), render: ({ kycApproved }) => yesNo(kycApproved) },
  { key: 'deposited', title: say('affiliates.client.deposited'), render: ({ deposited }) => yesNo(deposited) },
  {
    key: 'createdAt',
    title: say('affiliates.client.since'),
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} as="date" />,
  },
]

/** Lists the clients whom an affiliate brought. With `linked`, staff can open their records. */
export const BroughtClients = ({ affiliateId, linked = false }: { affiliateId: string; linked?: boolean }) => (
  <DataList
    id="affiliate-clients"
    within={['clients', affiliateId]}
    label={say('affiliates.page.clients')}
    fetch={(query) => fetchClients(affiliateId, query)}
    columns={COLUMNS}
    {...(linked && { href: ({ id }: BroughtClient) => `/traders/${id}` })}
    plain
    empty={<EmptyState title={say('affiliates.client.none')}>{say('affiliates.client.none_text')}</EmptyState>}
  />
)
