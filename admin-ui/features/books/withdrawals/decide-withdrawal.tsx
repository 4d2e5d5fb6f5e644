import { Checkbox, type CheckboxProps, Text, Textarea, TextInput } from '@mantine/core'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { Money } from '../../../components/show/money.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useDecided } from '../../../lib/forms/use-decided.ts'
import { groupInSentence } from '../../../lib/text/format.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { describeApproved, nameWithdrawal } from './approved-words.ts'
import { LapseNotice } from './lapse-notice.tsx'
import { NotFine } from './review-panels.tsx'
import { mayHaveBeenSent } from './review-words.ts'
import {
  approveWithdrawal,
  cancelWithdrawal,
  payWithdrawal,
  rejectWithdrawal,
  type WithdrawalRecord,
} from './withdrawals.api.ts'
import { say, tell } from './words.ts'

type DecideProps = { withdrawal: WithdrawalRecord; onClose: () => void; onDecided?: () => void }

const Whose = ({ withdrawal: { amount, currency, traderName } }: { withdrawal: WithdrawalRecord }) => (
  <>
    {tell('withdrawals.of', {
      amount: <Money amount={amount} currency={currency} fw={600} />,
      traderName: <b>{traderName}</b>,
    })}
  </>
)

/**
 * Gives one approval; the policy may need another. It repeats the checks that are not fine, and requires a note for
 * those for which the server requires one.
 */
export const Approve = ({ withdrawal, onClose, onDecided }: DecideProps) => {
  const { reload, done } = useDecided('withdrawals', onClose, onDecided)
  const { review } = withdrawal
  const noteOn = review?.viewer.noteOn ?? []
  const state = useApiForm({
    initialValues: { note: '' },
    ...(noteOn.length > 0 && { validate: { note: required(say('withdrawals.approve.note_required')) } }),
    submit: ({ note }) => approveWithdrawal(withdrawal, note.trim()),
    onDone: (after) => done(describeApproved(withdrawal, after.status), `/withdrawals/${withdrawal.id}`),
  })
  return (
    <FormModal
      state={state}
      title={say('withdrawals.approve.title')}
      submitLabel={say('withdrawals.queue.approve')}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">
        {tell('withdrawals.approve.about', {
          whose: <Whose withdrawal={withdrawal} />,
          reference: <code>{withdrawal.destination.reference}</code>,
        })}
      </Text>
      <LapseNotice withdrawal={withdrawal} />
      {review?.viewer.needsSecond && (
        <Text size="sm">
          {say('withdrawals.votes.needs_second', { reason: groupInSentence(review.viewer.needsSecond) })}
        </Text>
      )}
      {review && <NotFine checks={review.checks} />}
      <Textarea
        label={say('common.note')}
        description={
          noteOn.length > 0
            ? say('withdrawals.approve.note_hint_needed', { noteOn: noteOn.join(', ') })
            : say('withdrawals.approve.note_hint')
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

const NOTHING_SENT = say('withdrawals.nothing_sent.required')

/** Requires the statement that nothing was sent if an approval lapsed: only the person who decides can check that. */
const nothingSentRule =
  (withdrawal: WithdrawalRecord) =>
  (confirmed: boolean): string | null =>
    mayHaveBeenSent(withdrawal) && !confirmed ? NOTHING_SENT : null
const confirmNothingSent = (withdrawal: WithdrawalRecord) => (mayHaveBeenSent(withdrawal) ? { nothingSent: true } : {})

const NothingSent = (field: CheckboxProps) => (
  <Checkbox
    label={say('withdrawals.nothing_sent.label')}
    description={say('withdrawals.nothing_sent.hint')}
    {...field}
  />
)

/** Rejects a withdrawal with a reason that the client reads. */
export const Reject = ({ withdrawal, onClose, onDecided }: DecideProps) => {
  const { reload, done } = useDecided('withdrawals', onClose, onDecided)
  const state = useApiForm({
    initialValues: { detail: '', note: '', nothingSent: false },
    validate: { detail: required(say('withdrawals.reject.detail_required')), nothingSent: nothingSentRule(withdrawal) },
    submit: ({ detail, note }) =>
      rejectWithdrawal(withdrawal, {
        detail: detail.trim(),
        ...(note.trim() && { note: note.trim() }),
        ...confirmNothingSent(withdrawal),
      }),
    onDone: () => done(say('withdrawals.reject.done', nameWithdrawal(withdrawal)), `/withdrawals/${withdrawal.id}`),
  })
  return (
    <FormModal
      state={state}
      title={say('withdrawals.reject.title')}
      submitLabel={say('common.reject')}
      danger
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">{tell('withdrawals.reject.about', { whose: <Whose withdrawal={withdrawal} /> })}</Text>
      {mayHaveBeenSent(withdrawal) && (
        <NothingSent {...state.form.getInputProps('nothingSent', { type: 'checkbox' })} />
      )}
      <Textarea
        label={say('withdrawals.reject.detail')}
        description={say('withdrawals.reject.detail_hint')}
        autosize
        minRows={2}
        data-autofocus
        {...state.form.getInputProps('detail')}
      />
      <Textarea
        label={say('common.internal_note')}
        description={say('withdrawals.reject.note_hint')}
        autosize
        minRows={2}
        {...state.form.getInputProps('note')}
      />
    </FormModal>
  )
}

/** Records that the money was sent. */
export const Pay = ({ withdrawal, onClose }: DecideProps) => {
  const { reload, done } = useDecided('withdrawals', onClose)
  const state = useApiForm({
    initialValues: { paymentReference: '' },
    validate: { paymentReference: required(say('withdrawals.pay.reference_required')) },
    submit: ({ paymentReference }) => payWithdrawal(withdrawal, paymentReference.trim()),
    onDone: () => done(say('withdrawals.pay.done', nameWithdrawal(withdrawal)), `/withdrawals/${withdrawal.id}`),
  })
  return (
    <FormModal
      state={state}
      title={say('withdrawals.pay.title')}
      submitLabel={say('withdrawals.pay.title')}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">
        {tell('withdrawals.pay.about', {
          whose: <Whose withdrawal={withdrawal} />,
          reference: <code>{withdrawal.destination.reference}</code>,
        })}
      </Text>
      <LapseNotice withdrawal={withdrawal} />
      <TextInput
        label={say('withdrawals.pay.reference')}
        description={say('withdrawals.pay.reference_hint')}
        autoComplete="off"
        data-autofocus
        {...state.form.getInputProps('paymentReference')}
      />
    </FormModal>
  )
}

/** Cancels a withdrawal before it is approved, or after its approval lapsed. */
export const Cancel = ({ withdrawal, onClose }: DecideProps) => {
  const { reload, done } = useDecided('withdrawals', onClose)
  const state = useApiForm({
    initialValues: { nothingSent: false },
    validate: { nothingSent: nothingSentRule(withdrawal) },
    submit: () => cancelWithdrawal(withdrawal, confirmNothingSent(withdrawal)),
    onDone: () => done(say('withdrawals.cancel.done', nameWithdrawal(withdrawal)), `/withdrawals/${withdrawal.id}`),
  })
  return (
    <FormModal
      state={state}
      title={say('withdrawals.cancel.title')}
      submitLabel={say('withdrawals.cancel.submit')}
      closeLabel={say('withdrawals.cancel.keep')}
      danger
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">{tell('withdrawals.cancel.about', { whose: <Whose withdrawal={withdrawal} /> })}</Text>
      {mayHaveBeenSent(withdrawal) && (
        <NothingSent {...state.form.getInputProps('nothingSent', { type: 'checkbox' })} />
      )}
    </FormModal>
  )
}
