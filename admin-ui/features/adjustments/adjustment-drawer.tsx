import { Alert, Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Money } from '../../components/money.tsx'
import { ReasonForm } from '../../components/reason-form.tsx'
import { Facts } from '../../components/record-page.tsx'
import { When } from '../../components/when.tsx'
import { groupDigits } from '../../lib/format.ts'
import { useCan, useMe } from '../../lib/session.ts'
import { useDecided } from '../../lib/use-decided.ts'
import { TraderLink } from '../traders/trader-link.tsx'
import { useStaff } from '../users/users.api.ts'
import { AdjustmentStatus, DIRECTION_LABELS } from './adjustment-words.tsx'
import { approveAdjustment, type NamedAdjustment, rejectAdjustment } from './adjustments.api.ts'

type Decision = 'approve' | 'reject'
type AdjustmentDrawerProps = { adjustment: NamedAdjustment; onClose: () => void }

/** One adjustment and the decision about it, by somebody other than who asked. */
export const AdjustmentDrawer = ({ adjustment, onClose }: AdjustmentDrawerProps) => {
  const staff = useStaff()
  const [asked, setAsked] = useState<Decision | null>(null)
  const { amount, currency, direction, requestedBy, status } = adjustment
  return (
    <Drawer opened onClose={onClose} title={`${DIRECTION_LABELS[direction]} of ${groupDigits(amount)} ${currency}`}>
      <Stack>
        <Facts
          items={[
            ['Status', <AdjustmentStatus key="status" status={status} />],
            ['Client', <TraderLink key="trader" id={adjustment.traderId} name={adjustment.traderName} />],
            ['Amount', <Money key="amount" amount={amount} currency={currency} fw={600} />],
            ['Asked for by', staff.nameOf(requestedBy)],
            ['Asked for at', <When key="at" at={adjustment.createdAt} />],
            ['Decided by', adjustment.decidedBy ? staff.nameOf(adjustment.decidedBy) : undefined],
            ['Decided at', adjustment.decidedAt ? <When key="decided" at={adjustment.decidedAt} /> : undefined],
            ['Note of the decision', adjustment.decisionNote ?? undefined],
          ]}
        />
        <div>
          <Text size="xs" c="dimmed">
            Reason
          </Text>
          <Text size="sm" className="note">
            {adjustment.reason}
          </Text>
        </div>
        {status === 'requested' && <NextAct requestedBy={requestedBy} onAsk={setAsked} />}
      </Stack>
      {asked && <Decide adjustment={adjustment} by={asked} onBack={() => setAsked(null)} onDecided={onClose} />}
    </Drawer>
  )
}

/** The buttons of the decision, or why the reader has none. */
const NextAct = ({ requestedBy, onAsk }: { requestedBy: string; onAsk: (decision: Decision) => void }) => {
  const can = useCan()
  const me = useMe()
  const isOwn = requestedBy === me.id
  if (isOwn || !can('admin'))
    return (
      <Alert color="yellow" variant="light">
        {isOwn ? 'You asked for this one, so somebody else decides it.' : 'An administrator decides this.'}
      </Alert>
    )
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={() => onAsk('reject')}>
        Reject
      </Button>
      <Button onClick={() => onAsk('approve')}>Approve</Button>
    </Group>
  )
}

type DecideProps = { adjustment: NamedAdjustment; by: Decision; onBack: () => void; onDecided: () => void }

/** Asks for the note of an approval, or for the reason of a rejection, and sends it. */
const Decide = ({ adjustment, by, onBack, onDecided }: DecideProps) => {
  const { amount, currency, direction, traderName } = adjustment
  const { reload, done } = useDecided('adjustments', onDecided)
  if (by === 'reject')
    return (
      <ReasonForm
        title="Reject this adjustment"
        submitLabel="Reject"
        missing="Say why"
        danger
        submit={(reason) => rejectAdjustment(adjustment, reason)}
        onDone={() => done('Adjustment rejected.')}
        onClose={onBack}
        onReload={reload}
      />
    )
  return (
    <ReasonForm
      title="Approve this adjustment"
      submitLabel="Approve and post"
      label="Note"
      description="For colleagues"
      submit={(note) => approveAdjustment(adjustment, note)}
      onDone={() => done('Adjustment posted.')}
      onClose={onBack}
      onReload={reload}
    >
      <Text size="sm">
        <Money amount={amount} currency={currency} fw={600} />{' '}
        {direction === 'credit' ? 'is given to' : 'is taken from'} <b>{traderName}</b> at once.
      </Text>
    </ReasonForm>
  )
}
