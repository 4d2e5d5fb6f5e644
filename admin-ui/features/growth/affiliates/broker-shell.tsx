import { AppShell, Button, Group, Stack, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Brand } from '../../../components/page/brand.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Page } from '../../../components/page/page.tsx'
import { PageTabs } from '../../../components/page/page-tabs.tsx'
import { Section } from '../../../components/page/section.tsx'
import type { Me } from '../../firm/auth/auth.api.ts'
import { useSignOut } from '../../firm/auth/use-sign-out.ts'
import { AskPayout } from './affiliate-forms.tsx'
import { AffiliateStats } from './affiliate-stats.tsx'
import { AffiliateTree } from './affiliate-tree.tsx'
import { AffiliateStatus } from './affiliate-words.tsx'
import { fetchAffiliate } from './affiliates.api.ts'
import { BroughtClients } from './brought-clients.tsx'
import { CommissionLines } from './commission-lines.tsx'
import { PayoutList } from './payout-list.tsx'
import { say } from './words.ts'

const TABS = [
  ['clients', say('affiliates.page.clients')],
  ['payouts', say('affiliates.page.payouts')],
  ['commissions', say('affiliates.page.commissions')],
  ['tree', say('affiliates.page.tree')],
] as const

/** An introducing broker sees only their own branch here, whatever the address says, until the portal exists. */
export const BrokerShell = ({ me, affiliateId }: { me: Me; affiliateId: string }) => {
  const signOut = useSignOut()
  const [asking, { open, close }] = useDisclosure()
  const own = useQuery({ queryKey: ['affiliates', 'one', affiliateId], queryFn: () => fetchAffiliate(affiliateId) })
  return (
    <AppShell header={{ height: 52 }} transitionDuration={0}>
      <AppShell.Header className="shell-header">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Brand tenant={me.tenant} />
          <Button size="xs" variant="default" onClick={() => signOut()}>
            {say('affiliates.broker.sign_out')}
          </Button>
        </Group>
      </AppShell.Header>
      <AppShell.Main id="content" tabIndex={-1}>
        <Loaded query={own}>
          {(affiliate) => (
            <Page
              title={me.displayName || affiliate.code}
              heading={
                <Group gap="sm">
                  <Title order={1}>{me.displayName || affiliate.code}</Title>
                  <AffiliateStatus status={affiliate.status} />
                </Group>
              }
              subtitle={say('affiliates.broker.code', { code: affiliate.code })}
              actions={
                affiliate.status === 'active' &&
                affiliate.stats.balances.length > 0 && <Button onClick={open}>{say('affiliates.form.ask')}</Button>
              }
            >
              <Stack gap="md">
                <AffiliateStats stats={affiliate.stats} />
                <PageTabs
                  tabs={TABS}
                  first="clients"
                  panels={{
                    clients: <BroughtClients affiliateId={affiliateId} />,
                    payouts: <PayoutList affiliateId={affiliateId} own />,
                    commissions: <CommissionLines affiliateId={affiliateId} />,
                    tree: (
                      <Section title={say('affiliates.page.tree')}>
                        <AffiliateTree id={affiliateId} linked={false} />
                      </Section>
                    ),
                  }}
                />
                {asking && <AskPayout affiliate={affiliate} own onClose={close} />}
              </Stack>
            </Page>
          )}
        </Loaded>
      </AppShell.Main>
    </AppShell>
  )
}
