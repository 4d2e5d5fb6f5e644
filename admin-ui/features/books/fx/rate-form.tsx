import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { DateField } from '../../../components/forms/date-field.tsx'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { CurrencyField } from '../../../components/forms/money-fields.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { amountRule, RATE } from '../../../lib/text/amount-text.ts'
import { wholeDay } from '../../../lib/text/day-text.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { type Rate, setRate } from './fx.api.ts'
import { say } from './words.ts'

const WAITS = say('fx.set.done_waits')

type RateFormProps = { rate?: Rate; onClose: () => void }

const useRateForm = ({ rate, onClose }: RateFormProps, platform: boolean) => {
  const refresh = useRefresh()
  return useApiForm({
    initialValues: {
      base: rate?.base ?? '',
      quote: rate?.quote ?? '',
      rate: rate?.rate ?? '',
      source: '',
      since: '',
      global: rate?.pool === 'global' && platform,
    },
    validate: {
      base: required(say('common.currency.required')),
      quote: required(say('common.currency.required')),
      rate: amountRule(say('fx.rate.required'), RATE),
      since: wholeDay,
    },
    submit: ({ global, source, since, ...values }) =>
      setRate({ ...values, ...(source.trim() && { source: source.trim() }), ...(since && { since }) }, { global }),
    onDone: ({ data }) => {
      const [set] = data
      notify(set?.since ? say('fx.past.set') : set?.unconfirmed ? WAITS : say('fx.set.done'))
      void refresh('fx')
      onClose()
    },
  })
}

/** Sets a rate. The rate before it is kept as history, and earlier conversions keep their rate. */
export const RateForm = (props: RateFormProps) => {
  const { rate, onClose } = props
  const platform = useCan()('platform_admin')
  const state = useRateForm(props, platform)
  const field = state.form.getInputProps
  const { base, quote } = state.form.getValues()
  return (
    <FormModal
      state={state}
      title={rate ? say('fx.set.title_change') : say('fx.set.title')}
      submitLabel={say('fx.set.submit')}
      opened
      onClose={onClose}
    >
      <SimpleGrid cols={2} spacing="sm">
        <CurrencyField label={say('fx.base.label')} readOnly={Boolean(rate)} {...field('base')} />
        <CurrencyField label={say('fx.quote.label')} readOnly={Boolean(rate)} {...field('quote')} />
      </SimpleGrid>
      <AmountField
        label={say('fx.past.rate')}
        description={base && quote ? say('fx.rate.hint_pair', { quote, base }) : say('fx.rate.hint')}
        kind={RATE}
        describeAmount={(number) => (base && quote ? `1 ${base} = ${number} ${quote}` : `= ${number}`)}
        data-autofocus
        {...field('rate')}
      />
      <TextInput label={say('fx.past.source')} description={say('fx.source.hint')} {...field('source')} />
      <DateField label={say('fx.past.field')} description={say('fx.past.field_about')} {...field('since')} />
      {platform && (
        <Checkbox
          label={say('fx.common.label')}
          description={say('fx.common.hint')}
          {...field('global', { type: 'checkbox' })}
        />
      )}
    </FormModal>
  )
}
