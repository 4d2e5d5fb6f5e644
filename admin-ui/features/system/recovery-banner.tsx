import { Anchor } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { say } from '../../../src/words/say.ts'
import { recoveryKeyQuery } from './system.api.ts'
import './system.css'

const PAGE = '/recovery-key'

/** Over every page of who administers the installation, until its key is kept somewhere. */
export const RecoveryBanner = () => {
  const { data } = useQuery(recoveryKeyQuery)
  const path = useRouterState({ select: (state) => state.location.pathname })
  if (!data || data.kept || path === PAGE) return null
  return (
    <section className="key-banner" aria-label={say('system.banner.label')}>
      <IconAlertTriangle size={18} aria-hidden />
      <span>
        {say('system.banner.text')}{' '}
        <Anchor component={Link} to={PAGE} size="sm" fw={600}>
          {say('system.banner.open')}
        </Anchor>
      </span>
    </section>
  )
}
