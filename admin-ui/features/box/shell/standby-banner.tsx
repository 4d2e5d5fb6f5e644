import { Anchor } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { PageBanner } from '../../../components/page/page-banner.tsx'
import type { StandbySaid } from '../../../lib/api/standby.ts'
import { formatSecond } from '../../../lib/text/format.ts'
import { say } from '../../../lib/text/words.ts'

/** Says above every page that a standby shows a copy: of when it is, and where changes are made. */
export const StandbyBanner = ({ standby: { ageSeconds, primary } }: { standby: StandbySaid }) => (
  <PageBanner label={say('shell.standby.label')} icon={<IconEye size={18} aria-hidden />}>
    {say('shell.standby.text', { time: formatSecond(new Date(Date.now() - ageSeconds * 1000).toISOString()) })}{' '}
    {/^https?:/.test(primary) && (
      <Anchor href={`${primary}/admin/`} size="sm" fw={600}>
        {say('shell.standby.open')}
      </Anchor>
    )}
  </PageBanner>
)
