import { Anchor } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { KeptPlace } from '../../../components/page/kept-place.tsx'
import { PageBanner } from '../../../components/page/page-banner.tsx'
import { groupInSentence } from '../../../lib/text/format.ts'
import { recoveryKeyQuery, statusQuery } from './system.api.ts'
import { say } from './words.ts'
import './system.css'

const PAGE = '/recovery-key'
const SYSTEM = '/system'

type BannerProps = { label: string; severity?: string; to: string; link: string; children: string }

/** A notice above every page. On every page but `to` itself it has a link to the page `to`. */
const Banner = ({ label, severity, to, link, children }: BannerProps) => {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <PageBanner label={label} severity={severity} icon={<IconAlertTriangle size={18} aria-hidden />}>
      {children}{' '}
      {path !== to && (
        <Anchor component={Link} to={to} size="sm" fw={600}>
          {link}
        </Anchor>
      )}
    </PageBanner>
  )
}

/** Shows the worst warning about the installation above every page of its administrators. */
export const WarningBanner = () => {
  const { data, isPending } = useQuery(statusQuery)
  const [worst] = data?.warnings ?? []
  return (
    <KeptPlace name="warning" isKnown={!isPending}>
      {worst && (
        <Banner
          label={say('system.warning.label')}
          severity={worst.severity}
          to={SYSTEM}
          link={say('system.warning.open')}
        >
          {groupInSentence(worst.text)}
        </Banner>
      )}
    </KeptPlace>
  )
}

/** Reminds the administrators of the installation above every page until its key is kept outside it. */
export const RecoveryBanner = () => {
  const { data, isPending } = useQuery(recoveryKeyQuery)
  const path = useRouterState({ select: (state) => state.location.pathname })
  if (path === PAGE) return null
  return (
    <KeptPlace name="recovery-key" isKnown={!isPending}>
      {data && !data.kept && (
        <Banner label={say('system.banner.label')} to={PAGE} link={say('system.banner.open')}>
          {say('system.banner.text')}
        </Banner>
      )}
    </KeptPlace>
  )
}
