import { Button } from '@mantine/core'
import { IconArrowMerge, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import type { Asked, ListAct } from '../../../components/lists/list-acts.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { Labels } from '../../../components/show/labels.tsx'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { nameCell, STATE_CELL } from '../../../lib/csv/list-csv.ts'
import { buildFlag, type FilterOf } from '../../../lib/lists/filters.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { useNewForm } from '../../../lib/lists/use-new-form.ts'
import type { Choice } from '../../../lib/text/choices.ts'
import { COUNTRIES, countryName } from '../../../lib/text/countries.ts'
import { phoneText } from '../../../lib/text/phone-text.ts'
import { useAssignees, useStaff } from '../../firm/users/users.api.ts'
import type { Undo } from './bulk.api.ts'
import { BulkEdit, UndoEdit } from './bulk-edit.tsx'
import { ClientBalance, useTradersWithBalances } from './client-balance.tsx'
import { CreateTrader } from './create-trader.tsx'
import { traderName } from './trader-names.ts'
import { TraderStats } from './trader-stats.tsx'
import { KYC_LABELS, KYC_OPTIONS, RISKS, STATES } from './trader-words.ts'
import { affiliateQuery, type Trader } from './traders.api.ts'
import { say } from './words.ts'

const PERSON: readonly Column<Trader>[] = [
  {
    key: 'name',
    file: ({ firstName, lastName, email, id }) => [firstName, lastName].filter(Boolean).join(' ') || email || id || '',
    title: say('common.name'),
    sort: 'name',
    upFirst: true,
    render: traderName,
  },
  {
    key: 'status',
    file: STATE_CELL,
    title: say('field.status'),
    render: ({ status }) => <StatusBadge status={status} />,
    // On a phone only a state that is not the usual one takes room from the address.
    renderCard: ({ status }) => status !== 'active' && <StatusBadge status={status} />,
  },
  { key: 'email', title: say('field.email'), wide: true, card: true, render: ({ email }) => orDash(email) },
  {
    key: 'country',
    file: { words: countryName },
    title: say('field.country'),
    wide: true,
    card: true,
    optional: true,
    render: ({ country }) => orDash(country && countryName(country)),
    renderCard: ({ country }) => country && <span className="card-whole">{country}</span>,
  },
  {
    key: 'kycStatus',
    file: nameCell(KYC_LABELS),
    title: say('client.identity'),
    wide: true,
    render: ({ kycStatus }) => <StatusBadge status={kycStatus} label={KYC_LABELS[kycStatus]} />,
  },
  {
    key: 'riskLevel',
    file: STATE_CELL,
    title: say('field.riskLevel'),
    sort: 'risk',
    wide: true,
    render: ({ riskLevel }) => <StatusBadge status={riskLevel} />,
  },
  {
    key: 'phone',
    title: say('field.phone'),
    wide: true,
    card: true,
    optional: true,
    render: ({ phone }) => orDash(phone && phoneText(phone)),
    renderCard: ({ phone }) => phone && <span className="card-whole">{phoneText(phone)}</span>,
  },
  {
    key: 'segments',
    title: say('field.segments'),
    wide: true,
    optional: true,
    render: ({ segments }) => <Labels values={segments} limit={2} />,
  },
  {
    key: 'tags',
    title: say('field.tags'),
    wide: true,
    optional: true,
    render: ({ tags }) => <Labels values={tags} limit={2} />,
  },
]
const HISTORY: readonly Column<Trader>[] = [
  { key: 'source', title: say('field.source'), wide: true, optional: true, render: ({ source }) => orDash(source) },
  {
    key: 'balance',
    file: { from: 'balances' },
    unsorted: say('client.balance.unsorted'),
    title: say('client.balance'),
    align: 'right',
    wide: true,
    width: 122,
    render: ({ id }) => <ClientBalance id={id} />,
  },
  {
    key: 'lastActiveAt',
    title: say('field.lastActiveAt'),
    sort: 'lastActiveAt',
    wide: true,
    render: ({ lastActiveAt }) => <When at={lastActiveAt} as="ago" />,
  },
  {
    key: 'createdAt',
    title: say('common.since'),
    sort: 'createdAt',
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} as="date" />,
  },
]

const buildColumns = (staff: (id: string | null) => string | null): readonly Column<Trader>[] => [
  ...PERSON,
  {
    key: 'assignedTo',
    title: say('field.assignedTo'),
    wide: true,
    optional: true,
    render: ({ assignedTo }) => orDash(staff(assignedTo)),
  },
  ...HISTORY,
]

type Choices = { staff: readonly Choice[]; affiliates: readonly Choice[] }

const buildFilters = ({ staff, affiliates }: Choices): readonly FilterOf<'traders.list'>[] => [
  { key: 'status', label: say('field.status'), options: STATES },
  { key: 'kycStatus', label: say('client.identity'), options: KYC_OPTIONS },
  { key: 'riskLevel', label: say('field.riskLevel'), options: RISKS },
  { key: 'country', label: say('field.country'), options: COUNTRIES, several: true },
  { key: 'assignedTo', label: say('field.assignedTo'), options: staff, several: true },
  { key: 'segment', label: say('client.segment') },
  { key: 'tag', label: say('client.tag') },
  { key: 'from', until: 'to', label: say('client.since.filter'), kind: 'days' },
  { key: 'activeFrom', until: 'activeTo', label: say('client.active.filter'), kind: 'days' },
  { key: 'firstDepositFrom', until: 'firstDepositTo', label: say('client.first_deposit.filter'), kind: 'days' },
  { key: 'depositedFrom', until: 'depositedTo', label: say('client.deposited.filter'), kind: 'days' },
  buildFlag('referred', say('client.referred.filter'), say('client.referred.only')),
  // Links of figures name one affiliate. There is no list to choose from: that is on the affiliate's own page.
  ...(affiliates.length > 0
    ? [{ key: 'affiliateId' as const, label: say('client.affiliate.filter'), options: affiliates }]
    : []),
]

/** Returns the affiliate that the address names, as the option of a filter. */
function useNamedAffiliate(): readonly Choice[] {
  const [{ affiliateId = '' }] = useSearchParams()
  const { data } = useQuery({ ...affiliateQuery(affiliateId), enabled: affiliateId !== '' })
  return affiliateId === '' ? [] : [{ value: affiliateId, label: data?.name ?? data?.code ?? affiliateId }]
}

/** Returns the acts on the chosen clients. */
const useActs = (change: (asked: Asked<Trader>) => void): readonly ListAct<Trader>[] => {
  const can = useCan()
  const navigate = useNavigate()
  const edit = { hotkey: 'e', label: say('client.bulk'), icon: <IconPencil size={14} />, run: change }
  if (!can('manager')) return [edit]
  return [
    edit,
    {
      label: say('client.bulk_merge'),
      icon: <IconArrowMerge size={14} />,
      fits: ({ length }) => length === 2,
      run: ({ rows }) => {
        // In a merge of two clients, the older record is more likely the one to keep.
        const [primary, secondary] = rows.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
        if (primary && secondary)
          void navigate({ to: '/merge', search: { primary: primary.id, secondary: secondary.id } })
      },
    },
  ]
}

export const TraderList = () => {
  const can = useCan()
  const navigate = useNavigate()
  const staff = useStaff()
  const { opened, open, close } = useNewForm(can('operator'))
  const [chosen, setChosen] = useState<Asked<Trader> | null>(null)
  const [undo, setUndo] = useState<Undo | null>(null)
  const acts = useActs(setChosen)
  const create = can('operator') && <NewButton onClick={open}>{say('client.new.title')}</NewButton>
  const actions = (
    <>
      {can('admin') && (
        <Button variant="default" component={Link} to="/traders/import">
          {say('client.import')}
        </Button>
      )}
      {create}
    </>
  )
  return (
    <Page title={say('common.clients')} subtitle={say('client.about')} actions={actions}>
      <TraderStats />
      {undo && undo.length > 0 && <UndoEdit undo={undo} onDone={() => setUndo(null)} />}
      <DataList
        counted="count"
        id="traders"
        file="traders.export"
        label={say('common.clients')}
        fetch={useTradersWithBalances()}
        columns={buildColumns(staff.findStaffName)}
        filters={buildFilters({ staff: useAssignees(), affiliates: useNamedAffiliate() })}
        searchPlaceholder={say(can('operator') ? 'client.search.with_phone' : 'client.search')}
        href={({ id }) => `/traders/${id}`}
        {...(can('operator') && {
          rowName: traderName,
          acts,
        })}
        empty={
          <EmptyState title={say('client.empty.title')} action={create}>
            {say('client.empty.about')}
          </EmptyState>
        }
      />
      {chosen && (
        <BulkEdit
          rows={chosen.rows}
          onResults={(done, results) => {
            setUndo(done)
            chosen.settle(results)
          }}
          onClose={() => setChosen(null)}
        />
      )}
      {opened && (
        <CreateTrader onClose={close} onDone={({ id }) => void navigate({ to: '/traders/$id', params: { id } })} />
      )}
    </Page>
  )
}
