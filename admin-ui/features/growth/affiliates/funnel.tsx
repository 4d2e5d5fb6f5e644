import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { formatCount } from '../../../lib/text/format.ts'
import { AffiliateLink } from './affiliate-name.tsx'
import { fetchFunnel } from './affiliates.api.ts'
import { say } from './words.ts'
import './affiliates.css'

const STEPS = ['clicks', 'registrations', 'kycApproved', 'firstDeposits'] as const
const LABELS: Record<(typeof STEPS)[number], string> = {
  clicks: say('affiliates.funnel.clicks'),
  registrations: say('affiliates.funnel.registrations'),
  kycApproved: say('affiliates.funnel.kyc'),
  firstDeposits: say('affiliates.funnel.deposits'),
}

/** Shows the steps from click to first deposit over 90 days, in all and by affiliate. */
export const FunnelPanel = () => {
  const funnel = useQuery({ queryKey: ['affiliates', 'funnel'], queryFn: fetchFunnel })
  return (
    <Loaded query={funnel}>
      {(data) => (
        <Section title={say('affiliates.funnel.title')} description={say('affiliates.funnel.text')}>
          <dl className="funnel">
            {STEPS.map((step) => (
              <div className="stat" key={step}>
                <dt>{LABELS[step]}</dt>
                <dd>{formatCount(data[step])}</dd>
              </div>
            ))}
          </dl>
          {data.byAffiliate.length === 0 ? (
            <EmptyState title={say('affiliates.funnel.none')}>{say('affiliates.funnel.none_text')}</EmptyState>
          ) : (
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
                          {formatCount(row[step])}
                        </Table.Td>
                      ))}
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
        </Section>
      )}
    </Loaded>
  )
}
