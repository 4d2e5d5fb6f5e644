import { Anchor } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { KeptPlace } from '../../../components/page/kept-place.tsx'
import { groupInSentence } from '../../../lib/text/format.ts'
import { recoveryKeyQuery, statusQuery } from './system.api.ts'
import { say } from './words.ts'
import './system.css'

const PAGE = '/recovery-key'
const SYSTEM = '/system'

/** Shows the worst warning about the installation above every page of its administrators. */
export const WarningBanner = () => {
  const { isPending } = useQuery(statusQuery)
  return (
    <KeptPlace name="warning" isKnown={!isPending}>
      <Warning />
    </KeptPlace>
  )
}

const Warning = () => {
  const { data } = useQuery(statusQuery)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [worst] = data?.warnings ?? []
  if (!worst) return null
  return (
    <section className="key-banner" data-severity={worst.severity} aria-label={say('system.warning.label')}>
      <IconAlertTriangle size={18} aria-hidden />
      <span>
        {groupInSentence(worst.text)}{' '}
        {path !== SYSTEM && (
          <Anchor component={Link} to={SYSTEM} size="sm" fw={600}>
            {say('system.warning.open')}
          </Anchor>
        )}
      </span>
    </section>
  )
}

/** Reminds the administrators of the installation above every page until its key is kept outside it. */
export const RecoveryBanner = () => {
  const { isPending } = useQuery(recoveryKeyQuery)
  return (
    <KeptPlace name="recovery-key" isKnown={!isPending}>
      <KeyReminder />
    </KeptPlace>
  )
}

const KeyReminder = () => {
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
