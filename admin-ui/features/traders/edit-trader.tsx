import { useState } from 'react'
import { FormDrawer } from '../../components/form-modal.tsx'
import { notify } from '../../lib/notify.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { isEmail } from '../auth/rules.ts'
import { TraderFields } from './trader-fields.tsx'
import { toBody, toValues } from './trader-form.ts'
import { type Trader, updateTrader } from './traders.api.ts'

/** Changes a client's details; a colleague's newer version is shown, not overwritten. */
export const EditTrader = ({ trader, onClose }: { trader: Trader; onClose: () => void }) => {
  // As it was when the form opened: the page reads it again meanwhile, and a newer version would let this overwrite a colleague's.
  const [opened] = useState(trader)
  const refresh = useRefresh()
  const state = useApiForm({
    initialValues: toValues(opened),
    validate: { email: isEmail },
    submit: (values) => updateTrader(opened.id, toBody(values), opened.version),
    onDone: () => {
      notify('Trader saved.')
      void refresh('traders')
      onClose()
    },
  })
  const reload = (): void => {
    void refresh('traders')
    onClose()
  }
  return (
    <FormDrawer
      state={state}
      title="Edit trader"
      submitLabel="Save"
      size="lg"
      opened
      onClose={onClose}
      onReload={reload}
    >
      <TraderFields form={state.form} />
    </FormDrawer>
  )
}
