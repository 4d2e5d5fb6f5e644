import { MergeTable, type Theirs } from '../../../components/forms/merge-table.tsx'
import { countryName } from '../../../lib/text/countries.ts'
import { fieldName } from '../../../lib/text/field-name.ts'
import { languageName } from '../../../lib/text/languages.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { actorText } from '../audit/audit-words.ts'
import { type TraderValues, toValues } from './trader-form.ts'
import { RISKS } from './trader-words.ts'
import { fetchTimeline, fetchTrader } from './traders.api.ts'
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

type TraderMergeProps = {
  id: string
  base: TraderValues
  mine: TraderValues
  /** Keeps only the values that the form changes. */
  limit?: (values: TraderValues) => TraderValues
  /** Saves over the colleague's version. */
  save: (values: TraderValues, version: number) => Promise<void>
}

/** Shows a colleague's newer version of a client beside the reader's, and saves both as one. */
export const TraderMerge = ({ id, base, mine, limit = (values) => values, save }: TraderMergeProps) => {
  const words = wordsWith(useStaff().findStaffName)
  return (
    <MergeTable
      id={id}
      base={base}
      mine={mine}
      load={async () => {
        const theirs = await loadTheirs(id)
        return { ...theirs, values: limit(theirs.values) }
      }}
      save={save}
      getLabel={(path) => fieldName(path.split('.').at(-1) ?? path)}
      show={(path, value) => (typeof value === 'string' && words[path]?.(value)) || shown(value)}
    />
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
