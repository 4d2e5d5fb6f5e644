import { say } from '../../../src/words/say.ts'
import { Page } from '../../components/page.tsx'
import { JobsSection } from './jobs-section.tsx'

/** The installation itself: what it does by itself. */
export const SystemPage = () => (
  <Page title={say('system.overview.title')} subtitle={say('system.overview.about')}>
    <JobsSection />
  </Page>
)
