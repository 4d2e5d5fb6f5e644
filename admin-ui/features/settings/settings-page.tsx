import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { BrandSection } from './brand-section.tsx'
import { FlagsSection } from './flags-section.tsx'
import { LogoSection } from './logo-section.tsx'
import { fetchFirm } from './settings.api.ts'

/** How the firm is called, how it looks, and what is turned on. */
export const SettingsPage = () => {
  const firm = useQuery({ queryKey: ['firm'], queryFn: fetchFirm })
  return (
    <Page title="Settings" subtitle="Your firm as colleagues and traders see it." narrow>
      <Loaded query={firm}>
        {(tenant) => (
          <Stack gap="lg">
            <BrandSection key={`brand-${tenant.version}`} tenant={tenant} />
            <LogoSection tenant={tenant} />
            <FlagsSection key={`flags-${tenant.version}`} tenant={tenant} />
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}
