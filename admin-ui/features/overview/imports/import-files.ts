import { nameCell, type ShownColumn, toShownCsv } from '../../../lib/csv/list-csv.ts'
import { savesShown } from '../../../lib/csv/save-shown.ts'
import { formatMessage } from '../../../lib/forms/use-api-form.ts'
import { toDay } from '../../../lib/text/zone.ts'
import { FIELD_LABELS } from './import-words.tsx'
import { balancesHref, type Import, mistakesHref } from './imports.api.ts'
import { say } from './words.ts'

const LABELS = new Map<string, string>(Object.entries(FIELD_LABELS))
const LINE: ShownColumn = { key: 'line', title: say('movein.line'), align: 'right' }

const MISTAKES: readonly ShownColumn[] = [
  LINE,
  {
    key: 'column',
    title: say('movein.column'),
    file: ({ column, field = '' }) => column || (LABELS.get(field) ?? field),
  },
  { key: 'message', title: say('movein.why'), file: { words: formatMessage } },
]

const POSTED = { no: say('movein.to_post'), earlier: say('movein.posted_before'), here: say('movein.posted') }
const BALANCES: readonly ShownColumn[] = [
  LINE,
  {
    key: 'client',
    title: say('common.client'),
    file: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' '),
  },
  { key: 'email', title: say('field.email') },
  {
    key: 'balance',
    title: say('movein.field.balance'),
    align: 'right',
    file: { from: 'amount', currency: 'currency' },
  },
  { key: 'posted', title: say('field.status'), file: nameCell(POSTED) },
]

export const makeMistakesFile = (text: string): string => toShownCsv(text, MISTAKES)
export const makeBalancesFile = (text: string): string => toShownCsv(text, BALANCES)

const nameFile = (name: string): string => `${name}-${toDay(new Date())}`

/** Makes a link save what is wrong with a file, by line and column. */
export const savesMistakes = ({ id }: Pick<Import, 'id'>) =>
  savesShown(mistakesHref(id), nameFile('import-mistakes'), makeMistakesFile)
/** Makes a link save what each client is credited. */
export const savesBalances = ({ id }: Pick<Import, 'id'>) =>
  savesShown(balancesHref(id), nameFile('opening-balances'), makeBalancesFile)
