import { Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconHandStop, IconHelpCircle } from '@tabler/icons-react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { WhatIs } from '../../../components/show/what-is.tsx'
import { ROLE_LABELS, ROLES } from '../../../lib/api/session.ts'
import { groupInSentence, humanize } from '../../../lib/text/format.ts'
import { type Check, checkName, formatReason, notFine, STATE_WORDS, whoIsMissing } from './review-words.ts'
import type { Review } from './withdrawals.api.ts'
import { say } from './words.ts'

const ICONS: Record<Check['state'], typeof IconCircleCheck> = {
  fine: IconCircleCheck,
  look_closer: IconAlertTriangle,
  not_checked: IconHelpCircle,
  blocks: IconHandStop,
}

const roleText = (role: string): string => {
  const known = ROLES.find((one) => one === role)
  return known ? ROLE_LABELS[known] : humanize(role)
}

/** Shows one check with its result in words. */
export const CheckRow = ({ check }: { check: Check }) => {
  const Icon = ICONS[check.state]
  return (
    <li className="row check" data-state={check.state}>
      <Icon size={18} stroke={1.8} aria-hidden />
      <div className="row-main">
        <div>{checkName(check)}</div>
        <div className="row-sub">{groupInSentence(check.text)}</div>
      </div>
      <span className="check-word">{STATE_WORDS[check.state]}</span>
    </li>
  )
}

const summarizeChecks = (checks: readonly Check[]): string => {
  const counts = (['blocks', 'look_closer', 'not_checked'] as const).map((state) => ({
    state,
    count: checks.filter((check) => check.state === state).length,
  }))
  const said = counts.filter(({ count }) => count > 0).map(({ state, count }) => `${count} ${SUMMARY_WORDS[state]}`)
  return said.length === 0 ? say('withdrawals.checks.summary.fine') : `${said.join(', ')}.`
}

const SUMMARY_WORDS = {
  blocks: say('withdrawals.checks.summary.blocks'),
  look_closer: say('withdrawals.checks.summary.look_closer'),
  not_checked: say('withdrawals.checks.summary.not_checked'),
} as const

/** Lists the checks, each with its result in words; a check that was not made says so. */
export const Checks = ({ checks }: { checks: Review['checks'] }) => (
  <Section
    title={say('withdrawals.queue.flags')}
    description={say('withdrawals.checks.about', { summary: summarizeChecks(checks) })}
    flush
  >
    <ul className="rows">
      {checks.map((check) => (
        <CheckRow key={check.name} check={check} />
      ))}
    </ul>
  </Section>
)

/** Repeats the checks that are not fine beside the decision. */
export const NotFine = ({ checks }: { checks: Review['checks'] }) => {
  const open = notFine(checks)
  if (open.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {say('withdrawals.checks.all_fine')}
      </Text>
    )
  }
  return (
    <ul className="rows not-fine" aria-label={say('withdrawals.checks.list_label')}>
      {open.map((check) => (
        <CheckRow key={check.name} check={check} />
      ))}
    </ul>
  )
}

/** Names who can approve the withdrawal now: those whose approval is enough, and those who need a second person. */
const Helpers = ({ review: { helpers, viewer } }: { review: Review }) => {
  if (!helpers) return null
  const [enough, beside] = [true, false].map((is) =>
    helpers.filter((helper) => helper.enough === is).map(({ name, role }) => `${name} (${roleText(role)})`),
  )
  return (
    <>
      {helpers.length === 0 && <div>{say('withdrawals.votes.nobody')}</div>}
      {enough && enough.length > 0 && <div>{say('withdrawals.votes.may', { names: enough.join(', ') })}.</div>}
      {beside && beside.length > 0 && <div>{say('withdrawals.votes.may_beside', { names: beside.join(', ') })}.</div>}
      {viewer.needsSecond && (
        <div>{say('withdrawals.votes.needs_second', { reason: groupInSentence(viewer.needsSecond) })}</div>
      )}
    </>
  )
}

/** Shows how many approvals the policy needs, who has decided and who is missing. An approval counts for 72 hours. */
export const Decisions = ({ review, open }: { review: Review; open: boolean }) => (
  <Section
    title={say('withdrawals.decisions.title')}
    actions={<WhatIs term="four_eyes" label={say('withdrawals.queue.policy')} />}
    description={
      <>
        {open && <div className="who-is-missing">{whoIsMissing(review)}.</div>}
        {open && <Helpers review={review} />}
        <div>{say('withdrawals.decisions.policy', { reason: formatReason(review) })}</div>
      </>
    }
    flush
  >
    {review.decisions.length === 0 ? (
      <EmptyState title={say('withdrawals.decisions.empty.title')}>
        {say('withdrawals.decisions.empty.about')}
      </EmptyState>
    ) : (
      <ul className="rows">
        {review.decisions.map(({ userId, name, role, decision, note, lapsed, createdAt }) => (
          <li key={`${userId}-${createdAt}`} className="row">
            <div className="row-main">
              <div>
                {name || say('withdrawals.decisions.former')} <span className="dim">· {roleText(role)}</span>
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
              <StatusBadge status="expired" label={say('withdrawals.decisions.expired')} />
            ) : (
              <StatusBadge
                status={decision === 'approve' ? 'approved' : 'rejected'}
                label={decision === 'approve' ? say('withdrawals.approved') : say('common.rejected')}
              />
            )}
          </li>
        ))}
      </ul>
    )}
  </Section>
)
