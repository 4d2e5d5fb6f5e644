import { Button, Group, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { Money } from '../../../components/show/money.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { acknowledgeTransfer, type NamedTransfer } from './transfers.api.ts'
import { say, tell } from './words.ts'

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
          {say('transfers.platform_refused_it')}
        </Button>
        <Button onClick={() => setAsked('booked')}>{say('transfers.platform_booked_it')}</Button>
      </Group>
      {asked && <Dialog transfer={transfer} state={asked} onClose={() => setAsked(null)} onDone={onDone} />}
    </>
  )
}

const BACK: Record<NamedTransfer['kind'], string> = {
  wallet_to_wallet: '',
  wallet_to_account: say('transfers.amount_goes_back_to'),
  account_to_wallet: say('transfers.amount_that_held_in'),
}
const ON: Record<NamedTransfer['kind'], string> = {
  wallet_to_wallet: '',
  wallet_to_account: say('transfers.amount_on_trading_account'),
  account_to_wallet: say('transfers.amount_that_held_in_wallet'),
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
    validate: booked ? {} : { reason: required(say('transfers.say_what_platform_said')) },
    submit: ({ reference, reason }) =>
      acknowledgeTransfer(transfer.id, {
        state,
        ...(reference.trim() && { reference: reference.trim() }),
        ...(reason.trim() && { reason: reason.trim() }),
      }),
    onDone: () => {
      notify(booked ? say('transfers.transfer_booked') : say('transfers.transfer_refused'))
      reload()
    },
  })
  return (
    <FormModal
      state={form}
      title={booked ? say('transfers.booked_title') : say('transfers.refused_title')}
      submitLabel={booked ? say('transfers.it_was_booked') : say('transfers.it_was_refused')}
      danger={!booked}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">
        {tell('transfers.look_on_platform_first', {
          amount: <Money amount={transfer.fromAmount} currency={transfer.fromCurrency} fw={600} />,
          traderName: <b>{transfer.traderName ?? say('transfers.deleted_trader')}</b>,
          kind: (booked ? ON : BACK)[transfer.kind],
        })}
      </Text>
      {!booked && (
        <Textarea
          label={say('common.reason')}
          autosize
          minRows={2}
          data-autofocus
          {...form.form.getInputProps('reason')}
        />
      )}
      <TextInput
        label={say('transfers.reference_platform')}
        description={say('transfers.if_it_gave_one')}
        autoComplete="off"
        {...form.form.getInputProps('reference')}
      />
    </FormModal>
  )
}
