import { SegmentedControl, SimpleGrid, Textarea } from '@mantine/core'
import { AmountField } from '../../components/amount-field.tsx'
import { FormDrawer } from '../../components/form-modal.tsx'
import { CurrencyField } from '../../components/money-fields.tsx'
import { amountRule } from '../../lib/amount-text.ts'
import { notify } from '../../lib/notify.tsx'
import { useMe } from '../../lib/session.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { TraderPicker } from '../traders/trader-picker.tsx'
import { type Adjustment, requestAdjustment } from './adjustments.api.ts'

type Values = Pick<Adjustment, 'traderId' | 'direction' | 'amount' | 'currency' | 'reason'>

const DIRECTIONS = [
  { value: 'credit', label: 'Credit: add money' },
  { value: 'debit', label: 'Debit: take money' },
]

/** Asks for a manual credit or debit. Nothing moves until somebody else approves it. */
export const AdjustmentForm = ({ onClose }: { onClose: () => void }) => {
  const refresh = useRefresh()
  const { currency } = useMe().tenant
  const initialValues: Values = { traderId: '', direction: 'credit', amount: '', currency, reason: '' }
  const state = useApiForm({
    initialValues,
    validate: {
      traderId: required('Choose a client'),
      currency: required('Choose a currency'),
      amount: amountRule('Enter an amount such as 25.00'),
      reason: required('Say why'),
    },
    submit: (values) => requestAdjustment({ ...values, reason: values.reason.trim() }),
    onDone: () => {
      notify('Sent for approval by a second person.')
      void refresh('adjustments')
      onClose()
    },
  })
  const field = state.form.getInputProps
  return (
    <FormDrawer state={state} title="New adjustment" submitLabel="Send for approval" opened onClose={onClose}>
      <TraderPicker data-autofocus {...field('traderId')} />
      <SegmentedControl fullWidth aria-label="Direction" data={DIRECTIONS} {...field('direction')} />
      <SimpleGrid cols={2} spacing="sm">
        <AmountField
          label="Amount"
          placeholder="0.00"
          currency={state.form.getValues().currency}
          {...field('amount')}
        />
        <CurrencyField {...field('currency')} />
      </SimpleGrid>
      <Textarea
        label="Reason"
        description="Kept with the movement in the books"
        autosize
        minRows={2}
        {...field('reason')}
      />
    </FormDrawer>
  )
}
