import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Page } from '../../../components/page/page.tsx'
import { BackupsSection, RestoreProven } from './backups-section.tsx'
import { BoxesSection } from './boxes-section.tsx'
import { JobsSection } from './jobs-section.tsx'
import { StandbySection } from './standby-section.tsx'
import { StatusSection } from './status-section.tsx'
import { statusQuery } from './system.api.ts'
import { say } from './words.ts'

/** Shows the installation: its figures, its copies and its jobs; a standby makes no copies and runs no jobs. */
export const SystemPage = () => {
  const status = useQuery(statusQuery).data
  const standby = status?.standby
  return (
    <Page
      title={say('system.overview.title')}
      subtitle={say('system.overview.about')}
      actions={standby ? null : <RestoreProven />}
    >
      <Stack gap="lg">
        <StatusSection />
        <BoxesSection canChange={!standby} />
        {standby ? (
          <StandbySection standby={standby} warnings={status.warnings} />
        ) : (
          <>
            <BackupsSection />
            <JobsSection />
          </>
        )}
      </Stack>
    </Page>
  )
}
