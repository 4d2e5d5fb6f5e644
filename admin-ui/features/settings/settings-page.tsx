import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { ApprovalSection } from './approval-section.tsx'
import { BrandSection } from './brand-section.tsx'
import { ConversionsSection } from './conversions-section.tsx'
import { FirmSection } from './firm-section.tsx'
import { FlagsSection } from './flags-section.tsx'
import { LogoSection } from './logo-section.tsx'
import { ReasonsSection } from './reasons-section.tsx'
import { fetchFirm } from './settings.api.ts'
import { SlaSection } from './sla-section.tsx'

const TABS = [
  ['firm', 'Firm'],
  ['approvals', 'Approvals'],
  ['support', 'Service levels'],
  ['identity', 'Identity'],
] as const

/** How the firm is called and looks, and the rules by which it works. */
export const SettingsPage = () => {
  return (
    <Page title="Settings" subtitle="Your firm as others see it, and the rules it works by." narrow>
      <PageTabs
        tabs={TABS}
        first="firm"
        panels={{
          firm: <FirmSections />,
          approvals: (
            <Stack gap="lg">
              <ApprovalSection />
            </Stack>
          ),
          support: <SlaSection />,
          identity: <ReasonsSection />,
        }}
      />
    </Page>
  )
}

const FirmSections = () => {
  const firm = useQuery({ queryKey: ['firm'], queryFn: fetchFirm })
  return (
    <Loaded query={firm}>
      {(tenant) => (
        <Stack gap="lg">
          <BrandSection tenant={tenant} />
          <LogoSection tenant={tenant} />
          <FirmSection tenant={tenant} />
          <ConversionsSection tenant={tenant} />
          <FlagsSection tenant={tenant} />
        </Stack>
      )}
    </Loaded>
  )
}
