import { Button, Group, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormModal } from '../../components/form-modal.tsx'
import { Money } from '../../components/money.tsx'
import { notify } from '../../lib/notify.tsx'
import { useCan } from '../../lib/session.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { acknowledgeTransfer, type NamedTransfer } from './transfers.api.ts'

type AcknowledgeProps = { transfer: NamedTransfer; onDone: () => void }
type State = 'booked' | 'refused'

/** Says for the platform, where its bridge does not, what became of a transfer that was sent to it. */
export const Acknowledge = ({ transfer, onDone }: AcknowledgeProps) => {
  const can = useCan()
  const [asked, setAsked] = useState<State | null>(null)
  if (!can('manager')) return null
  return (
    <>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => setAsked('refused')}>
          Platform refused it
        </Button>
        <Button onClick={() => setAsked('booked')}>Platform booked it</Button>
      </Group>
      {asked && <Dialog transfer={transfer} state={asked} onClose={() => setAsked(null)} onDone={onDone} />}
    </>
  )
}

const BACK: Record<NamedTransfer['kind'], string> = {
  wallet_to_wallet: '',
  wallet_to_account: 'The amount goes back to the wallet.',
  account_to_wallet: 'The amount that is held in the wallet is taken away again.',
}
const ON: Record<NamedTransfer['kind'], string> = {
  wallet_to_wallet: '',
  wallet_to_account: 'The amount is on the trading account.',
  account_to_wallet: 'The amount that is held in the wallet becomes free.',
}

type DialogProps = AcknowledgeProps & { state: State; onClose: () => void }

const Dialog = ({ transfer, state, onClose, onDone }: DialogProps) => {
  const refresh = useRefresh()
  const booked = state === 'booked'
  const reload = (): void => {
    void refresh('transfers')
    onDone()
  }
  const form = useApiForm({
    initialValues: { reference: '', reason: '' },
    validate: booked ? {} : { reason: required('Say what the platform said') },
    submit: ({ reference, reason }) =>
      acknowledgeTransfer(transfer.id, {
        state,
        ...(reference.trim() && { reference: reference.trim() }),
        ...(reason.trim() && { reason: reason.trim() }),
      }),
    onDone: () => {
      notify(booked ? 'Transfer booked.' : 'Transfer refused.')
      reload()
    },
  })
  return (
    <FormModal
      state={form}
      title={booked ? 'The platform booked it' : 'The platform refused it'}
      submitLabel={booked ? 'It was booked' : 'It was refused'}
      danger={!booked}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">
        <Money amount={transfer.fromAmount} currency={transfer.fromCurrency} fw={600} /> of{' '}
        <b>{transfer.traderName ?? 'a deleted trader'}</b>. Look on the platform first: this is said once.{' '}
        {(booked ? ON : BACK)[transfer.kind]}
      </Text>
      {!booked && (
        <Textarea label="Reason" autosize minRows={2} data-autofocus {...form.form.getInputProps('reason')} />
      )}
      <TextInput
        label="Reference of the platform"
        description="If it gave one"
        autoComplete="off"
        {...form.form.getInputProps('reference')}
      />
    </FormModal>
  )
}
