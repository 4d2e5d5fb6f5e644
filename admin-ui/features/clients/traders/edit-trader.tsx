import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { TraderFields } from './trader-fields.tsx'
import { TRADER_RULES, toBody, toValues } from './trader-form.ts'
import { TraderMerge } from './trader-merge.tsx'
import { type Trader, updateTrader } from './traders.api.ts'
import { useToldTrader } from './undo-change.ts'
import { say } from './words.ts'

/** Changes a client's details; a colleague's newer version is shown beside it and merged, not overwritten. */
export const EditTrader = ({ trader, onClose }: { trader: Trader; onClose: () => void }) => {
  const refresh = useRefresh()
  const told = useToldTrader()
  const finish = (): void => {
    void refresh('traders')
    onClose()
  }
  const state = useApiForm({
    initialValues: toValues(trader),
    validate: TRADER_RULES,
    submit: (values) => updateTrader(trader.id, toBody(values), trader.version),
    onDone: (after) => {
      told(trader, after)
      finish()
    },
  })
  return (
    <FormDrawer
      state={state}
      title={say('client.edit.title')}
      submitLabel={say('common.save')}
      opened
      onClose={onClose}
      onReload={finish}
      merge={
        <TraderMerge
          id={trader.id}
          base={toValues(trader)}
          mine={state.form.getValues()}
          save={async (values, version) => {
            await updateTrader(trader.id, toBody(values), version)
            notify(say('client.changed'))
            finish()
          }}
        />
      }
    >
      <TraderFields form={state.form} />
    </FormDrawer>
  )
}
