import { Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { useSearchParams } from '../../lib/search-params.ts'
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
  const [search, setSearch] = useSearchParams()
  const tab = TABS.find(([key]) => key === search.tab)?.[0] ?? 'firm'
  return (
    <Page title="Settings" subtitle="Your firm as others see it, and the rules it works by." narrow>
      <Tabs
        value={tab}
        onChange={(next) => setSearch({ tab: next && next !== 'firm' ? next : undefined })}
        keepMounted={false}
        className="tabs"
      >
        <Tabs.List mb="md">
          {TABS.map(([key, label]) => (
            <Tabs.Tab key={key} value={key}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="firm">
          <FirmSections />
        </Tabs.Panel>
        <Tabs.Panel value="approvals">
          <Stack gap="lg">
            <ApprovalSection />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="support">
          <SlaSection />
        </Tabs.Panel>
        <Tabs.Panel value="identity">
          <ReasonsSection />
        </Tabs.Panel>
      </Tabs>
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
