import { Alert, Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Money } from '../../components/money.tsx'
import { ReasonForm } from '../../components/reason-form.tsx'
import { Facts } from '../../components/record-page.tsx'
import { When } from '../../components/when.tsx'
import { useCan, useMe } from '../../lib/session.ts'
import { useDecided } from '../../lib/use-decided.ts'
import { TraderLink } from '../traders/trader-link.tsx'
import { useStaff } from '../users/users.api.ts'
import { AdjustmentStatus, DIRECTION_LABELS } from './adjustment-words.tsx'
import { approveAdjustment, type NamedAdjustment, rejectAdjustment } from './adjustments.api.ts'

type AdjustmentDrawerProps = { adjustment: NamedAdjustment; onClose: () => void }

/** One adjustment and the decision about it, by somebody other than who asked. */
export const AdjustmentDrawer = ({ adjustment, onClose }: AdjustmentDrawerProps) => {
  const can = useCan()
  const me = useMe()
  const staff = useStaff()
  const [asked, setAsked] = useState<'approve' | 'reject' | null>(null)
  const { amount, currency, direction, requestedBy, status } = adjustment
  const open = status === 'requested'
  const own = requestedBy === me.id
  const { reload, done } = useDecided('adjustments', onClose)
  return (
    <Drawer opened onClose={onClose} title={`${DIRECTION_LABELS[direction]} of ${amount} ${currency}`}>
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
        {open && own && (
          <Alert color="yellow" variant="light">
            You asked for this one, so somebody else decides it.
          </Alert>
        )}
        {open && !own && !can('admin') && (
          <Alert color="yellow" variant="light">
            An administrator decides this.
          </Alert>
        )}
        {open && !own && can('admin') && (
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => setAsked('reject')}>
              Reject
            </Button>
            <Button onClick={() => setAsked('approve')}>Approve</Button>
          </Group>
        )}
      </Stack>
      {asked === 'approve' && (
        <ReasonForm
          title="Approve this adjustment"
          submitLabel="Approve and post"
          label="Note"
          description="For colleagues"
          submit={(note) => approveAdjustment(adjustment, note)}
          onDone={() => done('Adjustment posted.')}
          onClose={() => setAsked(null)}
          onReload={reload}
        >
          <Text size="sm">
            <Money amount={amount} currency={currency} fw={600} />{' '}
            {direction === 'credit' ? 'is given to' : 'is taken from'} <b>{adjustment.traderName}</b> at once.
          </Text>
        </ReasonForm>
      )}
      {asked === 'reject' && (
        <ReasonForm
          title="Reject this adjustment"
          submitLabel="Reject"
          missing="Say why"
          danger
          submit={(reason) => rejectAdjustment(adjustment, reason)}
          onDone={() => done('Adjustment rejected.')}
          onClose={() => setAsked(null)}
          onReload={reload}
        />
      )}
    </Drawer>
  )
}
