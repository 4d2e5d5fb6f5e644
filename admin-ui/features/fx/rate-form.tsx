import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import { say } from '../../../src/words/say.ts'
import { AmountField } from '../../components/amount-field.tsx'
import { DateField } from '../../components/date-field.tsx'
import { FormModal } from '../../components/form-modal.tsx'
import { CurrencyField } from '../../components/money-fields.tsx'
import { amountRule, RATE } from '../../lib/amount-text.ts'
import { wholeDay } from '../../lib/day-text.ts'
import { notify } from '../../lib/notify.tsx'
import { useCan } from '../../lib/session.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { type Rate, setRate } from './fx.api.ts'

const WAITS = 'Kept, but far from the day before: it holds once a second person sends it too.'

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
      base: required('Choose a currency'),
      quote: required('Choose a currency'),
      rate: amountRule('Enter a rate such as 1.0845', RATE),
      since: wholeDay,
    },
    submit: ({ global, source, since, ...values }) =>
      setRate({ ...values, ...(source.trim() && { source: source.trim() }), ...(since && { since }) }, { global }),
    onDone: ({ data }) => {
      const [set] = data
      notify(set?.since ? say('fx.past.set') : set?.unconfirmed ? WAITS : 'Rate set.')
      void refresh('fx')
      onClose()
    },
  })
}

/** Sets a rate. The one before is kept as history; what was converted keeps the rate it was converted at. */
export const RateForm = (props: RateFormProps) => {
  const { rate, onClose } = props
  const platform = useCan()('platform_admin')
  const state = useRateForm(props, platform)
  const field = state.form.getInputProps
  const { base, quote } = state.form.getValues()
  return (
    <FormModal
      state={state}
      title={rate ? 'Change a rate' : 'Set a rate'}
      submitLabel="Set rate"
      opened
      onClose={onClose}
    >
      <SimpleGrid cols={2} spacing="sm">
        <CurrencyField label="Base currency" readOnly={Boolean(rate)} {...field('base')} />
        <CurrencyField label="Quote currency" readOnly={Boolean(rate)} {...field('quote')} />
      </SimpleGrid>
      <AmountField
        label="Rate"
        description={base && quote ? `${quote} for one ${base}` : 'Units of the second currency for one of the first'}
        kind={RATE}
        inWords={(number) => (base && quote ? `1 ${base} = ${number} ${quote}` : `= ${number}`)}
        data-autofocus
        {...field('rate')}
      />
      <TextInput label="Source" description="Where the rate is from, such as a bank’s name" {...field('source')} />
      <DateField label={say('fx.past.field')} description={say('fx.past.field_about')} {...field('since')} />
      {platform && (
        <Checkbox
          label="For every firm on this installation"
          description="Sets it in the common pool; a firm’s own rate goes before it"
          {...field('global', { type: 'checkbox' })}
        />
      )}
    </FormModal>
  )
}
