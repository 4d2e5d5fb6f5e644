import { Text, Textarea, TextInput } from '@mantine/core'
import { Confirm } from '../../components/confirm.tsx'
import { FormModal } from '../../components/form-modal.tsx'
import { Money } from '../../components/money.tsx'
import { ReasonForm } from '../../components/reason-form.tsx'
import { notify } from '../../lib/notify.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import {
  approveWithdrawal,
  cancelWithdrawal,
  payWithdrawal,
  rejectWithdrawal,
  type WithdrawalRecord,
} from './withdrawals.api.ts'

type DecideProps = { withdrawal: WithdrawalRecord; onClose: () => void }

const useAfterwards = (onClose: () => void) => {
  const refresh = useRefresh()
  const reload = (): void => {
    void refresh('withdrawals', 'wallets', 'summary')
    onClose()
  }
  const done = (message: string) => (): void => {
    notify(message)
    reload()
  }
  return { reload, done }
}

const Whose = ({ withdrawal: { amount, currency, traderName } }: { withdrawal: WithdrawalRecord }) => (
  <>
    <Money amount={amount} currency={currency} fw={600} /> of <b>{traderName}</b>
  </>
)

/** One approval; the policy may ask for another. */
export const Approve = ({ withdrawal, onClose }: DecideProps) => {
  const { reload, done } = useAfterwards(onClose)
  return (
    <ReasonForm
      title="Approve this withdrawal"
      submitLabel="Approve"
      label="Note"
      description="For colleagues; kept with your decision"
      submit={(note) => approveWithdrawal(withdrawal, note)}
      onDone={done('Approval recorded.')}
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">
        You approve <Whose withdrawal={withdrawal} /> to {withdrawal.destination.reference}.
      </Text>
    </ReasonForm>
  )
}

/** Turned down; the client reads the reason. */
export const Reject = ({ withdrawal, onClose }: DecideProps) => {
  const { reload, done } = useAfterwards(onClose)
  const state = useApiForm({
    initialValues: { detail: '', note: '' },
    validate: { detail: required('Say what the client is told') },
    submit: ({ detail, note }) =>
      rejectWithdrawal(withdrawal, { detail: detail.trim(), ...(note.trim() && { note: note.trim() }) }),
    onDone: done('Withdrawal rejected; the amount is free again.'),
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
  const { reload, done } = useAfterwards(onClose)
  const state = useApiForm({
    initialValues: { paymentReference: '' },
    validate: { paymentReference: required('Enter the reference of the payment') },
    submit: ({ paymentReference }) => payWithdrawal(withdrawal, paymentReference.trim()),
    onDone: done('Withdrawal paid.'),
  })
  return (
    <FormModal state={state} title="Mark as paid" submitLabel="Mark as paid" opened onClose={onClose} onReload={reload}>
      <Text size="sm">
        <Whose withdrawal={withdrawal} /> has been sent to {withdrawal.destination.reference}. This cannot be taken
        back.
      </Text>
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

/** Taken back before it was approved. */
export const Cancel = ({ withdrawal, onClose }: DecideProps) => {
  const { reload, done } = useAfterwards(onClose)
  return (
    <Confirm
      title="Cancel this withdrawal"
      confirmLabel="Cancel withdrawal"
      opened
      onClose={onClose}
      onReload={reload}
      action={() => cancelWithdrawal(withdrawal).then(done('Withdrawal cancelled; the amount is free again.'))}
    >
      The client no longer wants it. The held amount goes back: <Whose withdrawal={withdrawal} />.
    </Confirm>
  )
}
