import { Alert, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ReasonForm } from '../../../components/forms/reason-form.tsx'
import { ActButton } from '../../../components/page/act-button.tsx'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { useCan, useMe } from '../../../lib/api/session.ts'
import { useDecided } from '../../../lib/forms/use-decided.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { AffiliateLink, useAffiliateName } from './affiliate-name.tsx'
import { PayoutStatus } from './affiliate-words.tsx'
import { approvePayout, type Payout, rejectPayout } from './affiliates.api.ts'
import { say } from './words.ts'

type PayoutDrawerProps = { payout: Payout; own?: boolean; onClose: () => void }

/** Shows a payout, and lets a colleague other than the requester decide about it. */
export const PayoutDrawer = ({ payout, own = false, onClose }: PayoutDrawerProps) => (
  <RecordDrawer
    opened
    onClose={onClose}
    title={say('affiliates.payout.title', { amount: groupDigits(payout.amount), currency: payout.currency })}
  >
    {own ? <PayoutFacts payout={payout} /> : <Decidable payout={payout} onClose={onClose} />}
  </RecordDrawer>
)

const PayoutFacts = ({ payout, by }: { payout: Payout; by?: readonly (readonly [string, string | null])[] }) => (
  <Stack>
    <Facts
      items={[
        [say('affiliates.list.status'), <PayoutStatus key="status" status={payout.status} />],
        [
          say('affiliates.line.amount'),
          <Money key="amount" amount={payout.amount} currency={payout.currency} fw={600} />,
        ],
        [say('affiliates.payout.asked_at'), <When key="asked" at={payout.createdAt} />],
        ...(by ?? []),
        [
          say('affiliates.payout.decided_at'),
          payout.decidedAt ? <When key="decided" at={payout.decidedAt} /> : undefined,
        ],
      ]}
    />
    {payout.reason && (
      <div>
        <Text size="xs" c="dimmed">
          {say('affiliates.payout.reason')}
        </Text>
        <Text size="sm" className="note">
          {payout.reason}
        </Text>
      </div>
    )}
  </Stack>
)

type Decision = 'approve' | 'reject'

/** Returns the name of an approver, with the note that they had to give if they had a part in the payout. */
const voteText = (name: string, note: string | null): string =>
  note === null ? name : say('affiliates.payout.vote_noted', { name, note })

const Decidable = ({ payout, onClose }: Omit<PayoutDrawerProps, 'own'>) => {
  const can = useCan()
  const me = useMe()
  const staff = useStaff()
  const [asked, setAsked] = useState<Decision | null>(null)
  const { requestedBy, decidedBy, status, votes } = payout
  const open = status === 'requested'
  // in a small firm the requester may give the second of two votes
  const mine = requestedBy === me.id && votes.length === 0
  return (
    <Stack>
      <div>
        <AffiliateLink id={payout.affiliateId} />
      </div>
      <PayoutFacts
        payout={payout}
        by={[
          [
            say('affiliates.payout.asked_by'),
            requestedBy === null
              ? say('affiliates.payout.themselves')
              : staff.findStaffName(requestedBy, payout.createdAt),
          ],
          ...votes.map(
            ({ by, at, note }) =>
              [say('affiliates.payout.vote'), voteText(staff.findStaffName(by, at) ?? by, note)] as const,
          ),
          ...(decidedBy === null
            ? []
            : [[say('affiliates.payout.decided_by'), staff.findStaffName(decidedBy, payout.decidedAt)] as const]),
        ]}
      />
      {open && (mine || !can('admin')) && (
        <Alert color="yellow" variant="light">
          {mine ? say('affiliates.payout.yours') : say('affiliates.payout.admin')}
        </Alert>
      )}
      {open && can('admin') && (
        <Group justify="flex-end" gap="xs">
          <ActButton hotkey="r" variant="default" onClick={() => setAsked('reject')}>
            {say('affiliates.payout.reject')}
          </ActButton>
          {!mine && (
            <ActButton hotkey="a" onClick={() => setAsked('approve')}>
              {say('affiliates.payout.approve')}
            </ActButton>
          )}
        </Group>
      )}
      {asked && <AskDecision payout={payout} decision={asked} onBack={() => setAsked(null)} onDecided={onClose} />}
    </Stack>
  )
}

type AskDecisionProps = { payout: Payout; decision: Decision; onBack: () => void; onDecided: () => void }

/** Asks for confirmation before a payout is approved, and for the reason why it is rejected. */
const AskDecision = ({ payout, decision, onBack, onDecided }: AskDecisionProps) => {
  const name = useAffiliateName(payout.affiliateId)
  const { reload, done } = useDecided('payouts', onDecided)
  const said = { amount: groupDigits(payout.amount), currency: payout.currency, name }
  if (decision === 'approve')
    return (
      <ReasonForm
        title={say('affiliates.payout.approve_title')}
        submitLabel={say('affiliates.payout.approve')}
        label={say('common.note')}
        description={say('affiliates.payout.note_help')}
        submit={async (note) => {
          const { status } = await approvePayout(payout, note)
          done(say(status === 'approved' ? 'affiliates.payout.approved' : 'affiliates.payout.first_vote', said))
        }}
        onDone={() => {}}
        onClose={onBack}
        onReload={reload}
      >
        <Text size="sm">{say('affiliates.payout.approve_text', said)}</Text>
      </ReasonForm>
    )
  return (
    <ReasonForm
      title={say('affiliates.payout.reject_title')}
      submitLabel={say('affiliates.payout.reject')}
      description={say('affiliates.payout.reject_help')}
      missing={say('affiliates.payout.reject_rule')}
      danger
      submit={(reason) => rejectPayout(payout, reason)}
      onDone={() => done(say('affiliates.payout.rejected', said))}
      onClose={onBack}
      onReload={reload}
    />
  )
}
