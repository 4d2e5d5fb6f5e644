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
import { TraderLink } from '../../clients/traders/trader-link.tsx'
import { shownName } from '../../clients/traders/trader-names.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { AdjustmentStatus, DIRECTION_LABELS } from './adjustment-words.tsx'
import { approveAdjustment, type NamedAdjustment, rejectAdjustment } from './adjustments.api.ts'
import { say, tell } from './words.ts'

type Decision = 'approve' | 'reject'
type AdjustmentDrawerProps = { adjustment: NamedAdjustment; onClose: () => void }

/** Shows an adjustment; a person other than its requester decides about it here. */
export const AdjustmentDrawer = ({ adjustment, onClose }: AdjustmentDrawerProps) => {
  const staff = useStaff()
  const [asked, setAsked] = useState<Decision | null>(null)
  const { amount, currency, direction, requestedBy, status } = adjustment
  return (
    <RecordDrawer
      opened
      onClose={onClose}
      title={say('adjustments.of', { direction: DIRECTION_LABELS[direction], amount: groupDigits(amount), currency })}
    >
      <Stack>
        <Facts
          items={[
            [say('field.status'), <AdjustmentStatus key="status" status={status} />],
            [say('common.client'), <TraderLink key="trader" id={adjustment.traderId} name={adjustment.traderName} />],
            [say('common.amount'), <Money key="amount" amount={amount} currency={currency} fw={600} />],
            [say('adjustments.requested_by'), staff.findStaffName(requestedBy, adjustment.createdAt)],
            [say('adjustments.requested_at'), <When key="at" at={adjustment.createdAt} />],
            [
              say('common.decided_by'),
              adjustment.decidedBy ? staff.findStaffName(adjustment.decidedBy, adjustment.decidedAt) : undefined,
            ],
            [
              say('common.decided_at'),
              adjustment.decidedAt ? <When key="decided" at={adjustment.decidedAt} /> : undefined,
            ],
            [say('adjustments.decision_note'), adjustment.decisionNote ?? undefined],
          ]}
        />
        <div>
          <Text size="xs" c="dimmed">
            {say('common.reason')}
          </Text>
          <Text size="sm" className="note">
            {adjustment.reason}
          </Text>
        </div>
        {status === 'requested' && <NextAct requestedBy={requestedBy} onAsk={setAsked} />}
      </Stack>
      {asked && <Decide adjustment={adjustment} by={asked} onBack={() => setAsked(null)} onDecided={onClose} />}
    </RecordDrawer>
  )
}

/** Shows the buttons of the decision, or why the viewer has none. */
const NextAct = ({ requestedBy, onAsk }: { requestedBy: string; onAsk: (decision: Decision) => void }) => {
  const can = useCan()
  const me = useMe()
  const isOwn = requestedBy === me.id
  if (isOwn || !can('admin'))
    return (
      <Alert color="yellow" variant="light">
        {isOwn ? say('adjustments.decide.own') : say('adjustments.decide.admin_only')}
      </Alert>
    )
  return (
    <Group justify="flex-end" gap="xs">
      <ActButton hotkey="r" variant="default" onClick={() => onAsk('reject')}>
        {say('common.reject')}
      </ActButton>
      <ActButton hotkey="a" onClick={() => onAsk('approve')}>
        {say('common.approve')}
      </ActButton>
    </Group>
  )
}

type DecideProps = { adjustment: NamedAdjustment; by: Decision; onBack: () => void; onDecided: () => void }

/** Asks for the note of an approval, or for the reason of a rejection, and sends it. */
const Decide = ({ adjustment, by, onBack, onDecided }: DecideProps) => {
  const { amount, currency, direction, traderName } = adjustment
  const { reload, done } = useDecided('adjustments', onDecided)
  const said = {
    amount: `${groupDigits(amount)} ${currency}`,
    client: shownName(traderName),
    direction: String(direction === 'credit'),
  }
  if (by === 'reject')
    return (
      <ReasonForm
        title={say('adjustments.reject.title')}
        submitLabel={say('common.reject')}
        missing={say('adjustments.reason.required')}
        danger
        submit={(reason) => rejectAdjustment(adjustment, reason)}
        onDone={() => done(say('adjustments.reject.done', said))}
        onClose={onBack}
        onReload={reload}
      >
        <Text size="sm">{say('adjustments.reject.about')}</Text>
      </ReasonForm>
    )
  return (
    <ReasonForm
      title={say('adjustments.approve.title')}
      submitLabel={say('adjustments.approve.submit')}
      label={say('common.note')}
      description={say('common.note.hint')}
      submit={(note) => approveAdjustment(adjustment, note)}
      onDone={() => done(say('adjustments.approve.done', said))}
      onClose={onBack}
      onReload={reload}
    >
      <Text size="sm">
        {tell('adjustments.approve.about', {
          amount: <Money amount={amount} currency={currency} fw={600} />,
          direction: String(direction === 'credit'),
          traderName: <b>{traderName}</b>,
        })}
      </Text>
    </ReasonForm>
  )
}
