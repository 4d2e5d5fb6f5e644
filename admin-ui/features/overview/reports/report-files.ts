import { csvText } from '../../../lib/csv/csv-writing.ts'
import { type FileRow, nameCell, type ShownColumn, toShownCsv } from '../../../lib/csv/list-csv.ts'
import { countryName } from '../../../lib/text/countries.ts'
import { actionText } from '../../clients/audit/audit-words.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import type { Overview } from './reports.api.ts'
import { TAX_SUMS } from './tax-sums.ts'
import { say } from './words.ts'

const right = 'right' as const

/** Makes the file of the overview of the figures on the page, since the API's file has none that are converted. */
export function makeOverviewFile({ days, converted }: Pick<Overview, 'days' | 'converted'>): string {
  const currency = converted?.currency ?? ''
  const money = new Map(converted?.days.map((day) => [day.day, day]))
  const heads = [
    { title: say('reports.head.day') },
    { title: say('reports.tax.deposits_in', { currency }), align: right },
    { title: say('reports.tax.withdrawals_in', { currency }), align: right },
    { title: say('reports.file.net_in', { currency }), align: right },
    { title: say('reports.overview.registrations'), align: right },
    { title: say('reports.overview.first_deposits'), align: right },
  ]
  return csvText(
    heads,
    days.map(({ day, registrations, firstDeposits }) => {
      const { deposits = null, withdrawals = null, net = null } = money.get(day) ?? {}
      return [day, deposits, withdrawals, net, registrations, firstDeposits]
    }),
  )
}

export const makeCohortsFile = (text: string): string =>
  toShownCsv(text, [
    { key: 'cohort', title: say('reports.cohorts.month') },
    { key: 'traders', title: say('reports.cohorts.traders'), align: right },
    { key: 'monthsSince', title: say('reports.file.months_since'), align: right },
    { key: 'month', title: say('reports.file.month') },
    { key: 'withFirstDeposit', title: say('reports.cohorts.withFirstDeposit'), align: right },
    { key: 'depositing', title: say('reports.cohorts.depositing'), align: right },
  ])

/** Lists the columns of money, beside them the currency of the report into which it was converted. */
const listMoney = (currency: string): readonly ShownColumn[] => [
  { key: 'amount', title: say('reports.head.amount'), align: right },
  { key: 'converted', title: say('reports.head.converted', { currency }), align: right },
]

const PARTS = {
  spread: say('reports.earnings.spread'),
  commission: say('reports.earnings.commission'),
  swap: say('reports.earnings.swap'),
  conversion: say('reports.earnings.conversion'),
  house: say('reports.earnings.house'),
}
const SOURCES = {
  trade: say('reports.source.trade'),
  deposit: say('reports.source.deposit'),
  revenue: say('reports.source.revenue'),
  override: say('reports.source.override'),
  correction: say('reports.source.correction'),
}

/** The API's file has what the firm earned and what affiliates cost; each has a report of its own. */
const keepSide =
  (side: string) =>
  (row: FileRow): boolean =>
    row.side === side

export const makeEarningsFile = (text: string, currency: string): string =>
  toShownCsv(
    text,
    [
      { key: 'part', title: say('reports.head.part'), file: nameCell(PARTS, 'sourceType') },
      { key: 'currency', title: say('reports.head.currency') },
      ...listMoney(currency),
    ],
    { keep: keepSide('revenue') },
  )

export const makeCostsFile = (text: string, currency: string): string =>
  toShownCsv(
    text,
    [
      { key: 'sourceType', title: say('reports.head.source'), file: nameCell(SOURCES) },
      { key: 'currency', title: say('reports.head.currency') },
      { key: 'count', title: say('reports.head.count'), align: right },
      ...listMoney(currency),
    ],
    { keep: keepSide('affiliate_costs') },
  )

export const makeActivityFile = (text: string): string =>
  toShownCsv(text, [
    { key: 'user', title: say('reports.head.user'), file: ({ name, userId = '' }) => name || userId },
    { key: 'action', title: say('reports.file.action'), file: { words: actionText } },
    { key: 'count', title: say('reports.head.count'), align: right },
  ])

export const makeTaxFile = (text: string, currency: string): string =>
  toShownCsv(text, [
    { key: 'name', title: say('reports.head.client'), file: ({ name }) => shownName(name || null) },
    { key: 'country', title: say('field.country'), file: { words: countryName } },
    { key: 'currency', title: say('reports.head.currency') },
    ...TAX_SUMS.map((key) => ({ key, title: say(`reports.tax.${key}`), align: right })),
    { key: 'depositsConverted', title: say('reports.tax.deposits_in', { currency }), align: right },
    { key: 'withdrawalsConverted', title: say('reports.tax.withdrawals_in', { currency }), align: right },
    { key: 'missingRates', title: say('reports.file.missing') },
  ])
