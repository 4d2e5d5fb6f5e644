import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Page } from '../../../components/page/page.tsx'
import { PageTabs } from '../../../components/page/page-tabs.tsx'
import { SlaSection } from '../../clients/support/sla-section.tsx'
import { ApprovalSection } from '../../firm/settings/approval-section.tsx'
import { BrandSection } from '../../firm/settings/brand-section.tsx'
import { ConversionsSection } from '../../firm/settings/conversions-section.tsx'
import { FirmSection } from '../../firm/settings/firm-section.tsx'
import { FlagsSection } from '../../firm/settings/flags-section.tsx'
import { LogoSection } from '../../firm/settings/logo-section.tsx'
import { ReasonsSection } from '../../firm/settings/reasons-section.tsx'
import { fetchFirm } from '../../firm/settings/settings.api.ts'
import { say } from '../../firm/settings/words.ts'

const TABS = [
  ['firm', say('common.firm')],
  ['approvals', say('common.approvals')],
  ['support', say('settings.tab.support')],
  ['identity', say('common.identity')],
] as const

/** Edits the firm's name and look, and the rules by which it works. */
export const SettingsPage = () => {
  return (
    <Page title={say('settings.settings')} subtitle={say('settings.about')} narrow>
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
