import { SegmentedControl, SimpleGrid, Textarea } from '@mantine/core'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { CurrencyField } from '../../../components/forms/money-fields.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useMe } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { amountRule } from '../../../lib/text/amount-text.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { TraderPicker } from '../../clients/traders/trader-picker.tsx'
import { required } from '../../firm/auth/form-rules.ts'
import { type Adjustment, requestAdjustment } from './adjustments.api.ts'
import { say } from './words.ts'

type Values = Pick<Adjustment, 'traderId' | 'direction' | 'amount' | 'currency' | 'reason'>

const DIRECTIONS = [
  { value: 'credit', label: say('adjustments.direction.credit') },
  { value: 'debit', label: say('adjustments.direction.debit') },
]

/** Requests a manual credit or debit. Nothing is booked until another person approves it. */
export const AdjustmentForm = ({ onClose }: { onClose: () => void }) => {
  const refresh = useRefresh()
  const { currency } = useMe().tenant
  const initialValues: Values = { traderId: '', direction: 'credit', amount: '', currency, reason: '' }
  const state = useApiForm({
    initialValues,
    validate: {
      traderId: required(say('common.client.required')),
      currency: required(say('common.currency.required')),
      amount: amountRule(say('adjustments.amount.required')),
      reason: required(say('adjustments.reason.required')),
    },
    submit: (values) => requestAdjustment({ ...values, reason: values.reason.trim() }),
    onDone: () => {
      notify(say('adjustments.new.done'))
      void refresh('adjustments')
      onClose()
    },
  })
  const field = state.form.getInputProps
  return (
    <FormDrawer
      state={state}
      title={say('adjustments.new.title')}
      submitLabel={say('adjustments.new.submit')}
      opened
      onClose={onClose}
    >
      <TraderPicker data-autofocus {...field('traderId')} />
      <SegmentedControl fullWidth aria-label={say('adjustments.direction')} data={DIRECTIONS} {...field('direction')} />
      <SimpleGrid cols={2} spacing="sm">
        <AmountField
          label={say('common.amount')}
          placeholder={groupDigits('0.00')}
          currency={state.form.getValues().currency}
          {...field('amount')}
        />
        <CurrencyField {...field('currency')} />
      </SimpleGrid>
      <Textarea
        label={say('common.reason')}
        description={say('adjustments.reason.hint')}
        autosize
        minRows={2}
        {...field('reason')}
      />
    </FormDrawer>
  )
}
