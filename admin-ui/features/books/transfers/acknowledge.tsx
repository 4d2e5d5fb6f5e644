import { Button, Group, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { Money } from '../../../components/show/money.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useDecided } from '../../../lib/forms/use-decided.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { acknowledgeTransfer, type NamedTransfer } from './transfers.api.ts'
import { say, tell } from './words.ts'

type AcknowledgeProps = { transfer: NamedTransfer; onDone: () => void }
type State = 'booked' | 'refused'

/** Records that the platform booked or refused a transfer, in case its bridge does not report it. */
export const Acknowledge = ({ transfer, onDone }: AcknowledgeProps) => {
  const can = useCan()
  const [asked, setAsked] = useState<State | null>(null)
  if (!can('manager')) return null
  return (
    <>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => setAsked('refused')}>
          {say('transfers.refuse.action')}
        </Button>
        <Button onClick={() => setAsked('booked')}>{say('transfers.book.action')}</Button>
      </Group>
      {asked && <Dialog transfer={transfer} state={asked} onClose={() => setAsked(null)} onDone={onDone} />}
    </>
  )
}

const WHERE_REFUSED: Record<NamedTransfer['kind'], string> = {
  wallet_to_wallet: '',
  wallet_to_account: say('transfers.refuse.to_account'),
  account_to_wallet: say('transfers.refuse.to_wallet'),
}
const WHERE_BOOKED: Record<NamedTransfer['kind'], string> = {
  wallet_to_wallet: '',
  wallet_to_account: say('transfers.book.to_account'),
  account_to_wallet: say('transfers.book.to_wallet'),
}

type DialogProps = AcknowledgeProps & { state: State; onClose: () => void }

const Dialog = ({ transfer, state, onClose, onDone }: DialogProps) => {
  const booked = state === 'booked'
  const { reload, done } = useDecided('transfers', onDone)
  const form = useApiForm({
    initialValues: { reference: '', reason: '' },
    validate: booked ? {} : { reason: required(say('transfers.refuse.reason_required')) },
    submit: ({ reference, reason }) =>
      acknowledgeTransfer(transfer.id, {
        state,
        ...(reference.trim() && { reference: reference.trim() }),
        ...(reason.trim() && { reason: reason.trim() }),
      }),
    onDone: () => done(booked ? say('transfers.book.done') : say('transfers.refuse.done')),
  })
  return (
    <FormModal
      state={form}
      title={booked ? say('transfers.book.title') : say('transfers.refuse.title')}
      submitLabel={booked ? say('transfers.book.submit') : say('transfers.refuse.submit')}
      danger={!booked}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">
        {tell('transfers.acknowledge.about', {
          amount: <Money amount={transfer.fromAmount} currency={transfer.fromCurrency} fw={600} />,
          traderName: <b>{transfer.traderName ?? say('transfers.deleted_trader')}</b>,
          kind: (booked ? WHERE_BOOKED : WHERE_REFUSED)[transfer.kind],
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
        label={say('transfers.platform_reference')}
        description={say('transfers.platform_reference.hint')}
        autoComplete="off"
        {...form.form.getInputProps('reference')}
      />
    </FormModal>
  )
}
