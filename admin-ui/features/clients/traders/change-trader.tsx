import type { ReactNode } from 'react'
import { InPlaceForm } from '../../../components/forms/in-place-form.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useRecordForm } from '../../../lib/forms/use-record-form.ts'
import { fieldName } from '../../../lib/text/field-name.ts'
import { ADDRESS, TraderInputs } from './trader-fields.tsx'
import { TRADER_RULES, type TraderValues, toBody, toValues } from './trader-form.ts'
import { TraderMerge } from './trader-merge.tsx'
import { type Trader, updateTrader } from './traders.api.ts'
import { useToldTrader } from './undo-change.ts'
import { say } from './words.ts'

/** A value of a client that is changed in its place on the page. */
export type TraderValue = keyof TraderValues

const CHOICES: readonly TraderValue[] = ['riskLevel', 'assignedTo', 'country', 'language']

type ChangeTraderProps = { trader: Trader; name: TraderValue; onClose: () => void }

/** Changes one value of a client in its place; the request has this value alone. */
const ChangeTrader = ({ trader, name, onClose }: ChangeTraderProps) => {
  const refresh = useRefresh()
  // The form has no other values, so that a colleague's change of those is no conflict.
  const limit = (values: TraderValues): TraderValues => ({ ...toValues(), [name]: values[name] })
  const send = (values: TraderValues, version: number): Promise<Trader> =>
    updateTrader(trader.id, { [name]: toBody(values)[name] }, version)
  const told = useToldTrader()
  const state = useRecordForm({
    live: trader,
    resource: 'traders',
    toValues: (record) => limit(toValues(record)),
    validate: name === 'email' ? TRADER_RULES : { dateOfBirth: TRADER_RULES.dateOfBirth },
    save: (values, over) => send(values, over.version),
    onSaved: (saved, over) => {
      // `saved` may have a colleague's change too, which the undo must not take back.
      told(over, { ...over, [name]: saved[name], version: saved.version })
      onClose()
    },
  })
  return (
    <InPlaceForm
      state={state}
      label={fieldName(name)}
      kind={name === 'address' ? 'several' : CHOICES.includes(name) ? 'choice' : 'text'}
      onClose={onClose}
      merge={
        <TraderMerge
          id={trader.id}
          base={state.form.getInitialValues()}
          mine={state.form.getValues()}
          limit={limit}
          save={async (values, version) => {
            await send(values, version)
            notify(say('client.changed'))
            onClose()
            void refresh('traders')
          }}
        />
      }
    >
      <TraderInputs form={state.form} paths={name === 'address' ? ADDRESS : [name]} />
    </InPlaceForm>
  )
}

/** Returns the function that draws the form of a value, for the pencil beside the value. */
export const changeTrader =
  (trader: Trader, name: TraderValue) =>
  (close: () => void): ReactNode => <ChangeTrader trader={trader} name={name} onClose={close} />
