import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { Loaded } from '../../../components/page/loaded.tsx'
import { PageTabs } from '../../../components/page/page-tabs.tsx'
import { Facts, RecordPage } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRecord } from '../../../lib/api/use-record.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { TraderLink } from '../../clients/traders/trader-link.tsx'
import { AskPayout, changeAffiliate, EditAffiliate } from './affiliate-forms.tsx'
import { AffiliateStats } from './affiliate-stats.tsx'
import { AffiliateTree } from './affiliate-tree.tsx'
import { AffiliateStatus, affiliateName } from './affiliate-words.tsx'
import { type AffiliateDetail, fetchAffiliate } from './affiliates.api.ts'
import { BroughtClients } from './brought-clients.tsx'
import { CommissionLines } from './commission-lines.tsx'
import { PayoutList } from './payout-list.tsx'
import { usePlanName } from './plan-list.tsx'
import { say } from './words.ts'

/** Shows the record of an introducing broker. */
export const AffiliatePage = () => {
  const { id = '' } = useParams({ strict: false })
  const affiliate = useRecord('affiliates', id, fetchAffiliate)
  return <Loaded query={affiliate}>{(data) => <AffiliateRecord key={data.id} affiliate={data} />}</Loaded>
}

const TABS = [
  ['tree', say('affiliates.page.overview')],
  ['clients', say('affiliates.page.clients')],
  ['payouts', say('affiliates.page.payouts')],
  ['commissions', say('affiliates.page.commissions')],
] as const

const AffiliateRecord = ({ affiliate }: { affiliate: AffiliateDetail }) => {
  const can = useCan()
  const { asked, record, ask, close } = useAsked<'edit', AffiliateDetail>(affiliate)
  const [asking, { open, close: closeAsk }] = useDisclosure()
  const { id, status, stats } = affiliate
  const payable = stats.balances.length > 0 && status === 'active'
  return (
    <RecordPage
      title={affiliateName(affiliate)}
      back={{ to: '/affiliates', label: say('affiliates.title') }}
      status={<AffiliateStatus status={status} />}
      actions={
        <Group gap="xs">
          {can('manager') && payable && (
            <Button variant="default" onClick={open}>
              {say('affiliates.form.ask')}
            </Button>
          )}
          {can('manager') && status !== 'closed' && (
            <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => ask('edit')}>
              {say('affiliates.page.edit')}
            </Button>
          )}
        </Group>
      }
    >
      <Stack gap="md">
        <AffiliateStats stats={stats} linkedTo={affiliate.id} />
        <PageTabs
          tabs={TABS}
          first="tree"
          panels={{
            tree: <Overview affiliate={affiliate} />,
            clients: <BroughtClients affiliateId={id} linked />,
            payouts: <PayoutList affiliateId={id} />,
            commissions: <CommissionLines affiliateId={id} />,
          }}
        />
      </Stack>
      {asked && <EditAffiliate affiliate={record} onClose={close} />}
      {asking && <AskPayout affiliate={affiliate} onClose={closeAsk} />}
    </RecordPage>
  )
}

/** Shows the affiliate's client and code, the plan by which they earn, and who is below them. */
const Overview = ({ affiliate }: { affiliate: AffiliateDetail }) => {
  const can = useCan()
  const planName = usePlanName()
  const { id, traderId, name, code, planId, createdAt } = affiliate
  const mayChange = can('manager') && affiliate.status !== 'closed'
  const edit = (name: 'code' | 'planId') => ({ edit: mayChange ? changeAffiliate(affiliate, name) : undefined })
  // The id is shown until the plan's name is read: “no plan” would be wrong.
  const plan = planId === null ? say('affiliates.page.no_plan') : (planName(planId) ?? planId)
  return (
    <Stack gap="md">
      <Section title={say('affiliates.page.details')}>
        <Facts
          items={[
            [say('affiliates.form.client'), traderId && <TraderLink key="client" id={traderId} name={name} />],
            [say('affiliates.form.code'), code, edit('code')],
            [say('affiliates.form.plan'), can('manager') ? plan : undefined, edit('planId')],
            [say('affiliates.list.since'), <When key="since" at={createdAt} as="date" />],
          ]}
        />
      </Section>
      <Section title={say('affiliates.page.tree')} description={say('affiliates.page.tree_text')}>
        <AffiliateTree id={id} />
      </Section>
    </Stack>
  )
}
