import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { AmountField } from '../../components/amount-field.tsx'
import { FormDrawer } from '../../components/form-modal.tsx'
import { CurrencyField } from '../../components/money-fields.tsx'
import { amountRule } from '../../lib/amount-text.ts'
import { notify } from '../../lib/notify.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { TraderPicker } from '../traders/trader-picker.tsx'
import { METHODS } from './deposit-columns.tsx'
import { createDeposit, type Deposit, type NewDeposit } from './deposits.api.ts'

type CreateDepositProps = {
  /** Whose deposit it is, when that is known already. */
  trader?: { id: string; name: string }
  onClose: () => void
  onDone?: (deposit: Deposit) => void
}

type Values = Required<Pick<NewDeposit, 'traderId' | 'amount' | 'currency' | 'method' | 'providerReference' | 'note'>>

/** Announces a deposit on a client's behalf. It stays pending until somebody settles it. */
export const CreateDeposit = ({ trader, onClose, onDone }: CreateDepositProps) => {
  const refresh = useRefresh()
  const initialValues: Values = {
    traderId: trader?.id ?? '',
    amount: '',
    currency: 'EUR',
    method: 'bank',
    providerReference: '',
    note: '',
  }
  const state = useApiForm({
    initialValues,
    validate: {
      traderId: required('Choose a trader'),
      amount: amountRule(),
      currency: required('Choose a currency'),
    },
    submit: ({ providerReference, note, ...values }) =>
      createDeposit({
        ...values,
        ...(providerReference.trim() && { providerReference: providerReference.trim() }),
        ...(note.trim() && { note: note.trim() }),
      }),
    onDone: (deposit: Deposit) => {
      notify('Deposit announced.')
      void refresh('deposits', 'dashboard')
      onClose()
      onDone?.(deposit)
    },
  })
  const field = state.form.getInputProps
  return (
    <FormDrawer state={state} title="New deposit" submitLabel="Announce deposit" opened onClose={onClose}>
      {trader ? (
        <TextInput label="Trader" value={trader.name} readOnly />
      ) : (
        <TraderPicker data-autofocus {...field('traderId')} />
      )}
      <SimpleGrid cols={2} spacing="sm">
        <AmountField
          label="Amount"
          placeholder="0.00"
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
      <Textarea label="Note" description="For colleagues" autosize minRows={2} {...field('note')} />
    </FormDrawer>
  )
}
