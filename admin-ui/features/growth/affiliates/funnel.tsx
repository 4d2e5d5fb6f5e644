import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Answer } from '../../../api.ts'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { Opens } from '../../../components/show/opens.tsx'
import { type Place, registeredIn } from '../../../lib/lists/places.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { locale } from '../../../lib/text/language.ts'
import { AffiliateLink } from './affiliate-name.tsx'
import { fetchFunnel } from './affiliates.api.ts'
import { say } from './words.ts'
import './affiliates.css'

const STEPS = ['clicks', 'registrations', 'kycApproved', 'approvedWithDeposit'] as const
type Step = (typeof STEPS)[number]
const LABELS: Record<Step, string> = {
  clicks: say('affiliates.funnel.clicks'),
  registrations: say('affiliates.funnel.registrations'),
  kycApproved: say('affiliates.funnel.kyc'),
  approvedWithDeposit: say('affiliates.funnel.deposits'),
}
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })

/**
 * Links to the clients of a step, of one affiliate or of all. Clicks have no rows of their own. Clients without an
 * affiliate are in no funnel.
 */
function findClients(
  step: Step | 'firstDeposits',
  { from, to }: Answer<'affiliates.funnel'>,
  affiliateId?: string,
): Place | null {
  if (step === 'clicks') return null
  const checked = step === 'kycApproved' || step === 'approvedWithDeposit'
  const deposited = step === 'firstDeposits' || step === 'approvedWithDeposit'
  return registeredIn(
    { startsAt: from, endsAt: to },
    {
      ...(affiliateId === undefined ? { referred: 'true' } : { affiliateId }),
      ...(checked && { kycStatus: 'approved' }),
      ...(deposited && { firstDepositFrom: from, firstDepositTo: to }),
    },
  )
}

type Counts = Record<Step, number>
/** Says which share of the previous step reached this step; null if the previous step is empty. */
const shareText = (counts: Counts, index: number): string | null => {
  const before = STEPS[index - 1]
  const step = STEPS[index]
  if (before === undefined || step === undefined || counts[before] === 0) return null
  return say('affiliates.funnel.of_before', { share: percent.format(counts[step] / counts[before]) })
}

/** Shows the steps from click to first deposit over 90 days, in all and by affiliate. */
export const FunnelPanel = () => {
  const funnel = useQuery({ queryKey: ['affiliates', 'funnel'], queryFn: fetchFunnel })
  return (
    <Loaded query={funnel}>
      {(data) => (
        <Section title={say('affiliates.funnel.title')} description={say('affiliates.funnel.text')}>
          <dl className="funnel">
            {STEPS.map((step, index) => (
              <div className="stat" key={step}>
                <dt>{LABELS[step]}</dt>
                <dd>
                  <Opens place={findClients(step, data)} rows={data[step]}>
                    {formatCount(data[step])}
                  </Opens>
                </dd>
                <dd className="funnel-share">{shareText(data, index)}</dd>
              </div>
            ))}
          </dl>
          {data.firstDeposits > data.approvedWithDeposit && (
            <p className="dim">
              {say('affiliates.funnel.unchecked', { count: data.firstDeposits - data.approvedWithDeposit })}
            </p>
          )}
          {data.byAffiliate.length === 0 ? (
            <EmptyState title={say('affiliates.funnel.none')}>{say('affiliates.funnel.none_text')}</EmptyState>
          ) : (
            <FunnelTable data={data} />
          )}
        </Section>
      )}
    </Loaded>
  )
}

/** Lists the steps of each affiliate. */
const FunnelTable = ({ data }: { data: Answer<'affiliates.funnel'> }) => (
  <Table.ScrollContainer minWidth={300}>
    <Table mt="md" className="funnel-table" aria-label={say('affiliates.funnel.title')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{say('affiliates.list.name')}</Table.Th>
          {STEPS.map((step) => (
            <Table.Th key={step} ta="right">
              {LABELS[step]}
            </Table.Th>
          ))}
          <Table.Th ta="right">{say('affiliates.funnel.all_deposits')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {data.byAffiliate.map((row) => (
          <Table.Tr key={row.affiliateId}>
            <Table.Td>
              <AffiliateLink id={row.affiliateId} />
            </Table.Td>
            {STEPS.map((step) => (
              <Table.Td key={step} ta="right">
                <Opens place={findClients(step, data, row.affiliateId)} rows={row[step]}>
                  {formatCount(row[step])}
                </Opens>
              </Table.Td>
            ))}
            <Table.Td ta="right">
              <Opens place={findClients('firstDeposits', data, row.affiliateId)} rows={row.firstDeposits}>
                {formatCount(row.firstDeposits)}
              </Opens>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)
