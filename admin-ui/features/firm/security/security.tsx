import { Stack } from '@mantine/core'
import { Page } from '../../../components/page/page.tsx'
import { LanguageSection } from './language-section.tsx'
import { NameSection } from './name-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'
import { say } from './words.ts'

/** Shows the reader's name, language, second factor, password and sessions. */
export const Security = () => (
  <Page title={say('security.security')} subtitle={say('security.about')} narrow>
    <Stack gap="lg">
      <NameSection />
      <LanguageSection />
      <TwoFactorSection />
      <PasswordSection />
      <SessionsSection />
    </Stack>
  </Page>
)
