import { Alert, Checkbox, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { say } from '../../../src/words/say.ts'
import { AmountField } from '../../components/amount-field.tsx'
import { FormDrawer } from '../../components/form-modal.tsx'
import { CurrencyField } from '../../components/money-fields.tsx'
import { amountRule } from '../../lib/amount-text.ts'
import { isApiError } from '../../lib/http.ts'
import { notify } from '../../lib/notify.tsx'
import { useCan, useMe } from '../../lib/session.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { TraderPicker } from '../traders/trader-picker.tsx'
import { Settle } from './decide-deposit.tsx'
import { METHODS } from './deposit-columns.tsx'
import { namedDeposit } from './deposit-words.ts'
import { createDeposit, type Deposit, fetchDeposit, type NamedDeposit, type NewDeposit } from './deposits.api.ts'

type CreateDepositProps = {
  /** Whose deposit it is, when that is known already. */
  trader?: { id: string; name: string }
  onClose: () => void
  onDone?: (deposit: Deposit) => void
}

type Values = Required<
  Pick<NewDeposit, 'traderId' | 'amount' | 'currency' | 'method' | 'providerReference' | 'note'>
> & { another: boolean; settle: boolean }

/**
 * Announces a deposit on a client's behalf. It stays pending until somebody settles it; who may, and sees that the
 * money is there, goes on to that.
 */
export const CreateDeposit = ({ trader, onClose, onDone }: CreateDepositProps) => {
  const refresh = useRefresh()
  const can = useCan()
  const { currency } = useMe().tenant
  const [made, setMade] = useState<NamedDeposit | null>(null)
  const initialValues: Values = {
    traderId: trader?.id ?? '',
    amount: '',
    currency,
    method: 'bank',
    providerReference: '',
    note: '',
    another: false,
    settle: false,
  }
  // The deposit that the server says was credited with this reference, and which reference that was.
  const [credited, setCredited] = useState<{ id: string; reference: string } | null>(null)
  const repeats = (values: Values): string | null =>
    values.another && credited?.reference === values.providerReference ? credited.id : null
  const state = useApiForm({
    initialValues,
    validate: {
      traderId: required('Choose a client'),
      amount: amountRule(),
      currency: required('Choose a currency'),
      note: (note: string, values: Values) =>
        repeats(values) && !note.trim() ? 'Say why the same reference is another payment' : null,
    },
    submit: async (values) => {
      const { providerReference, note, another: _, settle, ...rest } = values
      const repeatOf = repeats(values)
      try {
        const deposit = await createDeposit({
          ...rest,
          ...(providerReference.trim() && { providerReference: providerReference.trim() }),
          ...(note.trim() && { note: note.trim() }),
          ...(repeatOf && { repeatOf }),
        })
        // It is there: what cannot be read now must not look as if it were not, and be entered once more.
        const toSettle = settle ? await fetchDeposit(deposit.id).catch(() => null) : null
        return { deposit, toSettle }
      } catch (error) {
        const id = isApiError(error) && error.problem.code === 'reference_used' && namedDeposit(error.problem.detail)
        if (id) setCredited({ id, reference: providerReference })
        throw error
      }
    },
    onDone: ({ deposit, toSettle }) => {
      notify('Deposit created.')
      void refresh('deposits')
      if (toSettle) setMade(toSettle)
      else leave(deposit)
    },
  })
  const leave = (deposit: Deposit): void => {
    onClose()
    onDone?.(deposit)
  }
  if (made) return <Settle deposit={made} onClose={() => leave(made)} />
  const field = state.form.getInputProps
  return (
    <FormDrawer state={state} title="New deposit" submitLabel="Create deposit" opened onClose={onClose}>
      {trader ? (
        <TextInput label="Client" value={trader.name} readOnly />
      ) : (
        <TraderPicker data-autofocus {...field('traderId')} />
      )}
      <SimpleGrid cols={2} spacing="sm">
        <AmountField
          label="Amount"
          placeholder="0.00"
          {...(trader && { 'data-autofocus': true })}
          currency={state.form.getValues().currency}
          {...field('amount')}
        />
        <CurrencyField {...field('currency')} />
      </SimpleGrid>
      <Select label="Method" data={METHODS} allowDeselect={false} {...field('method')} />
      <TextInput
        label="Reference"
        description="What the bank statement or the gateway calls it"
        {...field('providerReference')}
      />
      {credited && credited.reference === state.form.getValues().providerReference && (
        <Alert color="yellow" variant="light" title="This reference was credited before">
          <Stack gap="xs">
            <span>
              With{' '}
              <Link to="/deposits/$id" params={{ id: credited.id }}>
                another deposit
              </Link>
              . Each payment is credited once.
            </span>
            <Checkbox
              label="This is another payment with the same reference"
              description="A second person has to settle it, and the note says why"
              {...field('another', { type: 'checkbox' })}
            />
          </Stack>
        </Alert>
      )}
      <Textarea label="Note" description="For colleagues" autosize minRows={2} {...field('note')} />
      {can('manager') && (
        <Checkbox
          label={say('deposits.settle_next')}
          description={say('deposits.settle_next_about')}
          {...field('settle', { type: 'checkbox' })}
        />
      )}
    </FormDrawer>
  )
}
