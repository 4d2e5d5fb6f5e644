import { Stack } from '@mantine/core'
import { Page } from '../../components/page.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'

/** One's own password, second factor and signed-in devices. */
export const Security = () => (
  <Page title="Security" subtitle="Your password, your second step and where you are signed in." narrow>
    <Stack gap="lg">
      <TwoFactorSection />
      <PasswordSection />
      <SessionsSection />
    </Stack>
  </Page>
)
