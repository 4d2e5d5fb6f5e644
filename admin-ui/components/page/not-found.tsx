import { say } from '../../lib/text/words.ts'
import { Page } from './page.tsx'
import { WayBack } from './way-back.tsx'

/** The page of an unknown address. */
export const NotFound = () => (
  <Page title={say('shell.missing.title')} subtitle={say('shell.missing.about')} narrow>
    <WayBack />
  </Page>
)
