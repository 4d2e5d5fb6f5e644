import { Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconHandStop } from '@tabler/icons-react'
import { EmptyState } from '../../components/empty-state.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { humanize } from '../../lib/format.ts'
import { ROLE_LABELS, ROLES } from '../../lib/session.ts'
import type { Review } from './withdrawals.api.ts'

type CheckState = 'ok' | 'warning' | 'blocking'

const WORDS: Record<CheckState, string> = { ok: 'Fine', warning: 'Look closer', blocking: 'Stops it' }
const ICONS = { ok: IconCircleCheck, warning: IconAlertTriangle, blocking: IconHandStop } as const
const NAMES: Record<string, string> = {
  trader: 'Trader',
  kyc: 'Identity',
  sanctions: 'Sanctions',
  net_deposits: 'Net deposits',
  first_withdrawal: 'Earlier withdrawals',
  destination: 'Destination',
  trading: 'Trading',
}

const stateOf = ({ ok, blocks }: Review['checks'][number]): CheckState => (ok ? 'ok' : blocks ? 'blocking' : 'warning')

const roleText = (role: string): string => {
  const known = ROLES.find((one) => one === role)
  return known ? ROLE_LABELS[known] : humanize(role)
}

/** What the server looked at, each with its result in words. */
export const Checks = ({ checks }: { checks: Review['checks'] }) => (
  <Section title="Checks" description="Worked out now, from what the books say." flush>
    <ul className="rows">
      {checks.map((check) => {
        const state = stateOf(check)
        const Icon = ICONS[state]
        return (
          <li key={check.name} className="row check" data-state={state}>
            <Icon size={18} stroke={1.8} aria-hidden />
            <div className="row-main">
              <div>{NAMES[check.name] ?? humanize(check.name)}</div>
              <div className="row-sub">{check.text}</div>
            </div>
            <span className="check-word">{WORDS[state]}</span>
          </li>
        )
      })}
    </ul>
  </Section>
)

const need = ({ approvalsNeeded, adminNeeded }: Review): string => {
  const people = approvalsNeeded === 1 ? 'One manager' : `${approvalsNeeded} different people`
  return adminNeeded ? `${people}, one of them an admin or higher` : people
}

/** What the policy asks for, and who has decided so far. An approval counts for 72 hours. */
export const Decisions = ({ review }: { review: Review }) => {
  const live = review.decisions.filter(({ decision, lapsed }) => decision === 'approve' && !lapsed).length
  return (
    <Section
      title="Decisions"
      description={
        <>
          {need(review)}: {review.reason}. {live} of {review.approvalsNeeded} so far.
        </>
      }
      flush
    >
      {review.decisions.length === 0 ? (
        <EmptyState title="Nobody has decided yet">An approval counts for 72 hours.</EmptyState>
      ) : (
        <ul className="rows">
          {review.decisions.map(({ userId, name, role, decision, note, lapsed, createdAt }) => (
            <li key={`${userId}-${createdAt}`} className="row">
              <div className="row-main">
                <div>
                  {name || 'Former colleague'} <span className="dim">· {roleText(role)}</span>
                </div>
                {note && (
                  <Text size="sm" className="note">
                    {note}
                  </Text>
                )}
                <div className="row-sub">
                  <When at={createdAt} as="ago" />
                </div>
              </div>
              {lapsed ? (
                <StatusBadge status="expired" label="Lapsed" />
              ) : (
                <StatusBadge
                  status={decision === 'approve' ? 'approved' : 'rejected'}
                  label={decision === 'approve' ? 'Approved' : 'Rejected'}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
