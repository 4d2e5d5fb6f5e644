import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { MergeTable, type Theirs } from '../../../components/forms/merge-table.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { same } from '../../../lib/forms/merge-values.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { countryName } from '../../../lib/text/countries.ts'
import { fieldName } from '../../../lib/text/field-name.ts'
import { languageName } from '../../../lib/text/languages.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { actorText } from '../audit/audit-words.ts'
import { TraderFields } from './trader-fields.tsx'
import { TRADER_RULES, type TraderField, type TraderValues, toBody, toValues } from './trader-form.ts'
import { RISKS } from './trader-words.ts'
import { fetchTimeline, fetchTrader, type Trader, updateTrader } from './traders.api.ts'
import { say } from './words.ts'

/** Reads the newest version, and who made it. */
const loadTheirs = async (id: string): Promise<Theirs<TraderValues>> => {
  const [trader, timeline] = await Promise.all([fetchTrader(id), fetchTimeline(id, { limit: 20 })])
  const change = timeline.data.find(({ entity }) => entity === 'trader')
  return {
    values: toValues(trader),
    version: trader.version,
    who: change ? actorText(change) : say('client.colleague'),
    at: change?.at ?? trader.updatedAt,
  }
}

/** Picks the fields whose change nothing else follows. Others move papers, sign-in or approvals, and have no undo. */
const pickPlain = (trader: Trader) => {
  const { language, address, segments, tags, assignedTo, source } = toBody(toValues(trader))
  return { language, address, segments, tags, assignedTo, source }
}

/** Returns whether a change was one of these fields alone. */
const isPlain = (before: Trader, after: Trader): boolean =>
  same(toBody(toValues(before)), { ...toBody(toValues(after)), ...pickPlain(before) })

type EditTraderProps = { trader: Trader; focus?: TraderField; onClose: () => void }

/** Changes a client's details; a colleague's newer version is shown beside it and merged, not overwritten. */
export const EditTrader = ({ trader, focus, onClose }: EditTraderProps) => {
  const refresh = useRefresh()
  const words = wordsWith(useStaff().findStaffName)
  const offerUndo = useUndo('traders')
  const finish = (): void => {
    void refresh('traders')
    onClose()
  }
  const state = useApiForm({
    initialValues: toValues(trader),
    validate: TRADER_RULES,
    submit: (values) => updateTrader(trader.id, toBody(values), trader.version),
    onDone: (after) => {
      if (isPlain(trader, after))
        offerUndo(say('client.changed'), () => updateTrader(trader.id, pickPlain(trader), after.version))
      else notify(say('client.changed'))
      finish()
    },
  })
  const reload = (): void => {
    void refresh('traders')
    onClose()
  }
  return (
    <FormDrawer
      state={state}
      title={say('client.edit.title')}
      submitLabel={say('common.save')}
      opened
      onClose={onClose}
      onReload={reload}
      merge={
        <MergeTable
          id={trader.id}
          base={toValues(trader)}
          mine={state.form.getValues()}
          load={() => loadTheirs(trader.id)}
          save={async (values, version) => {
            await updateTrader(trader.id, toBody(values), version)
            notify(say('client.changed'))
            finish()
          }}
          getLabel={(path) => fieldName(path.split('.').at(-1) ?? path)}
          show={(path, value) => (typeof value === 'string' && words[path]?.(value)) || shown(value)}
        />
      }
    >
      <TraderFields form={state.form} {...(focus && { focus })} />
    </FormDrawer>
  )
}

/** Turns values that the record has as codes into words. */
const wordsWith = (findStaffName: (id: string) => string | null): Record<string, (value: string) => string | null> => ({
  assignedTo: findStaffName,
  country: countryName,
  language: languageName,
  riskLevel: (level) => RISKS.find(({ value }) => value === level)?.label ?? level,
})

const shown = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value ?? ''))
