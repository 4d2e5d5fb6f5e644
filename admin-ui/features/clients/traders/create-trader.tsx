import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { TraderFields } from './trader-fields.tsx'
import { TRADER_RULES, toBody, toValues } from './trader-form.ts'
import { createTrader, type Trader } from './traders.api.ts'
import { say } from './words.ts'

export const CreateTrader = ({ onClose, onDone }: { onClose: () => void; onDone: (trader: Trader) => void }) => {
  const refresh = useRefresh()
  const state = useApiForm({
    initialValues: toValues(),
    validate: TRADER_RULES,
    submit: (values) => createTrader(toBody(values)),
    onDone: (trader: Trader) => {
      notify(say('client.new.done'))
      void refresh('traders')
      onDone(trader)
    },
  })
  return (
    <FormDrawer
      state={state}
      title={say('client.new.title')}
      submitLabel={say('client.new.submit')}
      opened
      onClose={onClose}
    >
      <TraderFields form={state.form} />
    </FormDrawer>
  )
}
