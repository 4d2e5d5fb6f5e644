import { Checkbox, type CheckboxProps, Text, Textarea, TextInput } from '@mantine/core'
import { FormModal } from '../../components/form-modal.tsx'
import { Money } from '../../components/money.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useDecided } from '../../lib/use-decided.ts'
import { required } from '../auth/rules.ts'
import { LapseNotice } from './lapse-notice.tsx'
import { NotFine } from './review-panels.tsx'
import { mayBeSent } from './review-words.ts'
import {
  approveWithdrawal,
  cancelWithdrawal,
  payWithdrawal,
  rejectWithdrawal,
  type WithdrawalRecord,
} from './withdrawals.api.ts'

type DecideProps = { withdrawal: WithdrawalRecord; onClose: () => void }

const Whose = ({ withdrawal: { amount, currency, traderName } }: { withdrawal: WithdrawalRecord }) => (
  <>
    <Money amount={amount} currency={currency} fw={600} /> of <b>{traderName}</b>
  </>
)

/**
 * One approval; the policy may ask for another. What is not fine
 * stands here once more, and wants a note where the server does.
 */
export const Approve = ({ withdrawal, onClose }: DecideProps) => {
  const { reload, done } = useDecided('withdrawals', onClose)
  const { review } = withdrawal
  const noteOn = review?.viewer.noteOn ?? []
  const state = useApiForm({
    initialValues: { note: '' },
    ...(noteOn.length > 0 && { validate: { note: required('Say why you approve it all the same') } }),
    submit: ({ note }) => approveWithdrawal(withdrawal, note.trim()),
    onDone: (after) => done(after.status === 'approved' ? 'Approved; it can be paid now.' : 'Approval recorded.'),
  })
  return (
    <FormModal
      state={state}
      title="Approve this withdrawal"
      submitLabel="Approve"
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">
        You approve <Whose withdrawal={withdrawal} /> to <code>{withdrawal.destination.reference}</code>.
      </Text>
      <LapseNotice withdrawal={withdrawal} />
      {review && <NotFine checks={review.checks} />}
      <Textarea
        label="Note"
        description={
          noteOn.length > 0
            ? `Needed here, on: ${noteOn.join(', ')}. Kept with your decision`
            : 'For colleagues; kept with your decision'
        }
        required={noteOn.length > 0}
        autosize
        minRows={2}
        maxRows={10}
        data-autofocus
        {...state.form.getInputProps('note')}
      />
    </FormModal>
  )
}

const NOTHING_SENT = 'Confirm it first: look at the bank or the gateway'

/** Nobody knows whether the money of a lapsed approval left, so whoever takes it back says that it did not. */
const nothingSentRule =
  (withdrawal: WithdrawalRecord) =>
  (confirmed: boolean): string | null =>
    mayBeSent(withdrawal) && !confirmed ? NOTHING_SENT : null
const nothingSentOf = (withdrawal: WithdrawalRecord) => (mayBeSent(withdrawal) ? { nothingSent: true } : {})

const NothingSent = (field: CheckboxProps) => (
  <Checkbox
    label="Nothing was sent"
    description="Its approval lapsed before it was paid. You looked, and no money left."
    {...field}
  />
)

/** Turned down; the client reads the reason. */
export const Reject = ({ withdrawal, onClose }: DecideProps) => {
  const { reload, done } = useDecided('withdrawals', onClose)
  const state = useApiForm({
    initialValues: { detail: '', note: '', nothingSent: false },
    validate: { detail: required('Say what the client is told'), nothingSent: nothingSentRule(withdrawal) },
    submit: ({ detail, note }) =>
      rejectWithdrawal(withdrawal, {
        detail: detail.trim(),
        ...(note.trim() && { note: note.trim() }),
        ...nothingSentOf(withdrawal),
      }),
    onDone: () => done('Withdrawal rejected; the amount is free again.'),
  })
  return (
    <FormModal
      state={state}
      title="Reject this withdrawal"
      submitLabel="Reject"
      danger
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">
        The held amount goes back: <Whose withdrawal={withdrawal} />.
      </Text>
      {mayBeSent(withdrawal) && <NothingSent {...state.form.getInputProps('nothingSent', { type: 'checkbox' })} />}
      <Textarea
        label="What the client is told"
        description="The client and your webhooks read this"
        autosize
        minRows={2}
        data-autofocus
        {...state.form.getInputProps('detail')}
      />
      <Textarea
        label="Internal note"
        description="For colleagues; never shown to the client"
        autosize
        minRows={2}
        {...state.form.getInputProps('note')}
      />
    </FormModal>
  )
}

/** The money has left. */
export const Pay = ({ withdrawal, onClose }: DecideProps) => {
  const { reload, done } = useDecided('withdrawals', onClose)
  const state = useApiForm({
    initialValues: { paymentReference: '' },
    validate: { paymentReference: required('Enter the reference of the payment') },
    submit: ({ paymentReference }) => payWithdrawal(withdrawal, paymentReference.trim()),
    onDone: () => done('Withdrawal paid.'),
  })
  return (
    <FormModal state={state} title="Mark as paid" submitLabel="Mark as paid" opened onClose={onClose} onReload={reload}>
      <Text size="sm">
        <Whose withdrawal={withdrawal} /> has been sent to <code>{withdrawal.destination.reference}</code>. This cannot
        be taken back.
      </Text>
      <LapseNotice withdrawal={withdrawal} />
      <TextInput
        label="Payment reference"
        description="Of the bank or the gateway; each can be used once"
        autoComplete="off"
        data-autofocus
        {...state.form.getInputProps('paymentReference')}
      />
    </FormModal>
  )
}

/** Taken back before it was approved, or after its approval lapsed. */
export const Cancel = ({ withdrawal, onClose }: DecideProps) => {
  const { reload, done } = useDecided('withdrawals', onClose)
  const state = useApiForm({
    initialValues: { nothingSent: false },
    validate: { nothingSent: nothingSentRule(withdrawal) },
    submit: () => cancelWithdrawal(withdrawal, nothingSentOf(withdrawal)),
    onDone: () => done('Withdrawal cancelled; the amount is free again.'),
  })
  return (
    <FormModal
      state={state}
      title="Cancel this withdrawal"
      submitLabel="Cancel withdrawal"
      closeLabel="Keep it"
      danger
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">
        The client no longer wants it. The held amount goes back: <Whose withdrawal={withdrawal} />.
      </Text>
      {mayBeSent(withdrawal) && <NothingSent {...state.form.getInputProps('nothingSent', { type: 'checkbox' })} />}
    </FormModal>
  )
}
