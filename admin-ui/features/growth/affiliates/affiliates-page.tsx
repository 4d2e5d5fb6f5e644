import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCalculator } from '@tabler/icons-react'
import { useState } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { PageTabs, useOpenTab } from '../../../components/page/page-tabs.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { Opens } from '../../../components/show/opens.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { nameCell } from '../../../lib/csv/list-csv.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { subtractDecimal } from '../../../lib/text/decimal.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { CreateAffiliate } from './affiliate-forms.tsx'
import { AFFILIATE_STATES, AffiliateStatus, affiliateName } from './affiliate-words.tsx'
import { type Affiliate, fetchAffiliates } from './affiliates.api.ts'
import { CommissionLines } from './commission-lines.tsx'
import { FunnelPanel } from './funnel.tsx'
import { PayoutList } from './payout-list.tsx'
import { PlanForm } from './plan-form.tsx'
import { PlanList } from './plan-list.tsx'
import { RunForm } from './run-form.tsx'
import { RunList } from './run-list.tsx'
import { say } from './words.ts'

type Balances = Affiliate['balances']
type SumsProps = { balances: Balances; amount: (one: NonNullable<Balances>[number]) => string }

/** Shows an amount of an affiliate in each currency in which they earn. */
const Sums = ({ balances, amount }: SumsProps) =>
  balances === null || balances.length === 0 ? (
    <span className="dim">—</span>
  ) : (
    balances.map((one) => (
      <div key={one.currency}>
        <Money amount={amount(one)} currency={one.currency} />
      </div>
    ))
  )

const Owed = ({ balances }: Pick<SumsProps, 'balances'>) => (
  <Sums balances={balances} amount={({ earned, paid }) => subtractDecimal(earned, paid)} />
)

const COLUMNS: readonly Column<Affiliate>[] = [
  { key: 'name', file: { from: 'traderName' }, title: say('affiliates.list.name'), render: affiliateName },
  {
    key: 'code',
    title: say('affiliates.list.code'),
    sort: 'code',
    upFirst: true,
    render: ({ code }) => <span className="clip">{code}</span>,
  },
  {
    key: 'status',
    file: nameCell(AFFILIATE_STATES),
    title: say('affiliates.list.status'),
    render: ({ status }) => <AffiliateStatus status={status} />,
  },
  {
    key: 'clients',
    title: say('affiliates.list.clients'),
    align: 'right',
    render: ({ id, clients }) => (
      <Opens place={{ to: '/traders', search: { affiliateId: id } }} rows={clients}>
        {formatCount(clients)}
      </Opens>
    ),
    renderCard: ({ clients }) => say('affiliates.list.clients_card', { clients }),
  },
  {
    key: 'earned',
    title: say('affiliates.list.earned'),
    align: 'right',
    wide: true,
    render: ({ balances }) => <Sums balances={balances} amount={({ earned }) => earned} />,
  },
  {
    key: 'owed',
    title: say('affiliates.list.owed'),
    align: 'right',
    render: ({ balances }) => <Owed balances={balances} />,
    renderCard: ({ balances }) => (
      <>
        {say('affiliates.list.owed')} <Owed balances={balances} />
      </>
    ),
  },
  {
    key: 'createdAt',
    title: say('affiliates.list.since'),
    sort: 'createdAt',
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} as="date" />,
  },
]
const FILTERS: readonly FilterOf<'affiliates.list'>[] = [
  { key: 'status', label: say('affiliates.list.status'), options: choices(AFFILIATE_STATES) },
  { key: 'from', until: 'to', label: say('affiliates.list.from'), kind: 'days' },
]

const TABS = [
  ['list', say('affiliates.tab.list'), 'viewer'],
  ['payouts', say('affiliates.tab.payouts'), 'viewer'],
  ['commissions', say('affiliates.tab.commissions'), 'viewer'],
  ['plans', say('affiliates.tab.plans'), 'manager'],
  ['runs', say('affiliates.tab.runs'), 'manager'],
  ['funnel', say('affiliates.tab.funnel'), 'viewer'],
] as const

/** Shows the introducing brokers, their plans, what they earn and what they are paid. */
export const AffiliatesPage = () => {
  const can = useCan()
  const [opened, { open, close }] = useDisclosure()
  const [sought, setSought] = useState<'plan' | 'run' | null>(null)
  const shown = TABS.filter(([, , least]) => can(least))
  const tab = useOpenTab(shown, 'list')
  const make = can('operator') && <NewButton onClick={open}>{say('affiliates.form.new')}</NewButton>
  const actions = {
    list: make,
    plans: can('admin') && <NewButton onClick={() => setSought('plan')}>{say('affiliates.plan.new')}</NewButton>,
    runs: can('admin') && (
      <Button leftSection={<IconCalculator size={16} />} onClick={() => setSought('run')}>
        {say('affiliates.run.new')}
      </Button>
    ),
    payouts: null,
    commissions: null,
    funnel: null,
  }[tab]
  return (
    <Page title={say('affiliates.title')} subtitle={say('affiliates.subtitle')} actions={actions}>
      <PageTabs
        tabs={shown}
        first="list"
        panels={{
          list: (
            <DataList
              id="affiliates"
              file="affiliates.export"
              label={say('affiliates.title')}
              fetch={fetchAffiliates}
              columns={COLUMNS}
              filters={FILTERS}
              searchPlaceholder={say('affiliates.picker.placeholder')}
              href={({ id }) => `/affiliates/${id}`}
              empty={
                <EmptyState title={say('affiliates.list.empty')} action={make}>
                  {say('affiliates.list.empty_text')}
                </EmptyState>
              }
            />
          ),
          payouts: <PayoutList />,
          commissions: <CommissionLines />,
          plans: <PlanList />,
          runs: <RunList />,
          funnel: <FunnelPanel />,
        }}
      />
      {opened && <CreateAffiliate onClose={close} />}
      {sought === 'plan' && <PlanForm onClose={() => setSought(null)} />}
      {sought === 'run' && <RunForm onClose={() => setSought(null)} />}
    </Page>
  )
}
