import { Checkbox, type CheckboxProps, Text, Textarea, TextInput } from '@mantine/core'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { Money } from '../../../components/show/money.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useDecided } from '../../../lib/forms/use-decided.ts'
import { required } from '../../firm/auth/form-rules.ts'
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
import { say, tell } from './words.ts'

type DecideProps = { withdrawal: WithdrawalRecord; onClose: () => void }

const Whose = ({ withdrawal: { amount, currency, traderName } }: { withdrawal: WithdrawalRecord }) => (
  <>
    {tell('withdrawals.of', {
      amount: <Money amount={amount} currency={currency} fw={600} />,
      traderName: <b>{traderName}</b>,
    })}
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
    ...(noteOn.length > 0 && { validate: { note: required(say('withdrawals.say_why_you_approve_it')) } }),
    submit: ({ note }) => approveWithdrawal(withdrawal, note.trim()),
    onDone: (after) =>
      done(
        after.status === 'approved' ? say('withdrawals.approved_it_can_paid') : say('withdrawals.approval_recorded'),
      ),
  })
  return (
    <FormModal
      state={state}
      title={say('withdrawals.approve_this_withdrawal')}
      submitLabel={say('withdrawals.queue.approve')}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">
        {tell('withdrawals.you_approve_to', {
          whose: <Whose withdrawal={withdrawal} />,
          reference: <code>{withdrawal.destination.reference}</code>,
        })}
      </Text>
      <LapseNotice withdrawal={withdrawal} />
      {review && <NotFine checks={review.checks} />}
      <Textarea
        label={say('common.note')}
        description={
          noteOn.length > 0
            ? say('withdrawals.needed_here_on_kept', { noteOn: noteOn.join(', ') })
            : say('withdrawals.for_colleagues_kept_with_your')
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

const NOTHING_SENT = say('withdrawals.confirm_it_first_look')

/** Nobody knows whether the money of a lapsed approval left, so whoever takes it back says that it did not. */
const nothingSentRule =
  (withdrawal: WithdrawalRecord) =>
  (confirmed: boolean): string | null =>
    mayBeSent(withdrawal) && !confirmed ? NOTHING_SENT : null
const nothingSentOf = (withdrawal: WithdrawalRecord) => (mayBeSent(withdrawal) ? { nothingSent: true } : {})

const NothingSent = (field: CheckboxProps) => (
  <Checkbox
    label={say('withdrawals.nothing_was_sent')}
    description={say('withdrawals.its_approval_lapsed_before')}
    {...field}
  />
)

/** Turned down; the client reads the reason. */
export const Reject = ({ withdrawal, onClose }: DecideProps) => {
  const { reload, done } = useDecided('withdrawals', onClose)
  const state = useApiForm({
    initialValues: { detail: '', note: '', nothingSent: false },
    validate: { detail: required(say('withdrawals.say_what_client_told')), nothingSent: nothingSentRule(withdrawal) },
    submit: ({ detail, note }) =>
      rejectWithdrawal(withdrawal, {
        detail: detail.trim(),
        ...(note.trim() && { note: note.trim() }),
        ...nothingSentOf(withdrawal),
      }),
    onDone: () => done(say('withdrawals.withdrawal_rejected_amount')),
  })
  return (
    <FormModal
      state={state}
      title={say('withdrawals.reject_this_withdrawal')}
      submitLabel={say('common.reject')}
      danger
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">{tell('withdrawals.held_amount_goes_back', { whose: <Whose withdrawal={withdrawal} /> })}</Text>
      {mayBeSent(withdrawal) && <NothingSent {...state.form.getInputProps('nothingSent', { type: 'checkbox' })} />}
      <Textarea
        label={say('withdrawals.what_client_told')}
        description={say('withdrawals.client_your_webhooks_read')}
        autosize
        minRows={2}
        data-autofocus
        {...state.form.getInputProps('detail')}
      />
      <Textarea
        label={say('common.internal_note')}
        description={say('withdrawals.for_colleagues_never_shown')}
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
    validate: { paymentReference: required(say('withdrawals.enter_reference_payment')) },
    submit: ({ paymentReference }) => payWithdrawal(withdrawal, paymentReference.trim()),
    onDone: () => done(say('withdrawals.withdrawal_paid')),
  })
  return (
    <FormModal
      state={state}
      title={say('withdrawals.mark_as_paid')}
      submitLabel={say('withdrawals.mark_as_paid')}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">
        {tell('withdrawals.has_been_sent_to', {
          whose: <Whose withdrawal={withdrawal} />,
          reference: <code>{withdrawal.destination.reference}</code>,
        })}
      </Text>
      <LapseNotice withdrawal={withdrawal} />
      <TextInput
        label={say('withdrawals.payment_reference')}
        description={say('withdrawals.bank_or_gateway_each')}
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
    onDone: () => done(say('withdrawals.withdrawal_cancelled_amount')),
  })
  return (
    <FormModal
      state={state}
      title={say('withdrawals.cancel_this_withdrawal')}
      submitLabel={say('withdrawals.cancel_withdrawal')}
      closeLabel={say('withdrawals.keep_it')}
      danger
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">{tell('withdrawals.client_no_longer_wants', { whose: <Whose withdrawal={withdrawal} /> })}</Text>
      {mayBeSent(withdrawal) && <NothingSent {...state.form.getInputProps('nothingSent', { type: 'checkbox' })} />}
    </FormModal>
  )
}
