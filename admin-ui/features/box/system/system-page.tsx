import { Stack } from '@mantine/core'
import { Page } from '../../../components/page/page.tsx'
import { BackupsSection, RestoreProven } from './backups-section.tsx'
import { JobsSection } from './jobs-section.tsx'
import { StatusSection } from './status-section.tsx'
import { say } from './words.ts'

/** Shows the installation: its figures, its copies and its jobs. */
export const SystemPage = () => (
  <Page title={say('system.overview.title')} subtitle={say('system.overview.about')} actions={<RestoreProven />}>
    <Stack gap="lg">
      <StatusSection />
      <BackupsSection />
      <JobsSection />
    </Stack>
  </Page>
)
