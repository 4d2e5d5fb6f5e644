import { Stack } from '@mantine/core'
import { Page } from '../../../components/page/page.tsx'
import { BackupsSection, RestoreProven } from './backups-section.tsx'
import { JobsSection } from './jobs-section.tsx'
import { StatusSection } from './status-section.tsx'
import { say } from './words.ts'

/** The installation itself: what it is, how its copies stand, what it does by itself. */
export const SystemPage = () => (
  <Page title={say('system.overview.title')} subtitle={say('system.overview.about')} actions={<RestoreProven />}>
    <Stack gap="lg">
      <StatusSection />
      <BackupsSection />
      <JobsSection />
    </Stack>
  </Page>
)
