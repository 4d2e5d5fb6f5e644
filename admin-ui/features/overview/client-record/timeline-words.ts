import { subtractDecimal } from '../../../lib/text/decimal.ts'
import { groupDigits, humanize } from '../../../lib/text/format.ts'
import { actionText, actorText } from '../../clients/audit/audit-words.ts'
import type { TimelineEntry } from '../../clients/traders/traders.api.ts'
import { changesOf } from './timeline-changes.ts'
import { say, type Word } from './words.ts'

/** Stands in a sentence where the record's link comes. */
export const RECORD = '\uFFFC'

/** One line of a timeline, in words. */
type Told = {
  /** With `RECORD` where the record is named. */
  sentence: string
  /** What the record is called, and its page where it has one. */
  record: { label: string; to: string | null }
  who: string
  /** What somebody wrote about it. */
  note: string | null
  changes: string[]
}

const fieldOf = (fields: object | null, key: string): unknown =>
  Object.entries(fields ?? {}).find(([name]) => name === key)?.[1]
const textOf = (fields: object | null, key: string): string | null => {
  const value = fieldOf(fields, key)
  return typeof value === 'string' && value !== '' ? value : null
}

const RECORDS: Readonly<Record<string, Word>> = {
  deposit: 'timeline.record.deposit',
  withdrawal: 'timeline.record.withdrawal',
  transfer: 'timeline.record.transfer',
  adjustment: 'timeline.record.adjustment',
  kyc_submission: 'timeline.record.kyc',
  kyc_document: 'timeline.record.kyc',
  sanctions_hit: 'timeline.record.hit',
  ticket: 'timeline.record.ticket',
  account: 'timeline.record.account',
  lead: 'timeline.record.lead',
}
const PAGES: Readonly<Record<string, string>> = {
  deposit: '/deposits',
  withdrawal: '/withdrawals',
  kyc_submission: '/kyc',
  ticket: '/support',
}

const money = (amount: string, currency: string): string => `${groupDigits(amount)} ${currency}`

const recordOf = ({ record }: TimelineEntry): Told['record'] | null => {
  const word = record && RECORDS[record.entity]
  if (!record || !word) return null
  const { entity, id, name, amount, currency } = record
  const page = PAGES[entity]
  return {
    label:
      entity === 'account' && name === null
        ? say('timeline.record.account_new')
        : say(word, { name: name ?? '', amount: amount && currency ? money(amount, currency) : '' }),
    to: page ? `${page}/${id}` : null,
  }
}

type Part = { word: Word; values?: Record<string, string>; note?: string | null; changes?: string[] }
type Teller = (entry: TimelineEntry) => Part

const plain =
  (word: Word, noted?: string): Teller =>
  ({ after }) => ({ word, note: noted === undefined ? null : textOf(after, noted) })
const changed =
  (word: Word): Teller =>
  (entry) => ({ word, changes: changesOf(entry) })

/** Money that a field of an entry has, in the currency of its record. */
const moneyIn = ({ after, record }: TimelineEntry, key: string): string => {
  const amount = textOf(after, key)
  return amount && record?.currency ? money(amount, record.currency) : ''
}

const settledShort: Teller = (entry) => {
  const settled = textOf(entry.after, 'settledAmount')
  const amount = entry.record?.amount
  if (!settled || !amount) return { word: 'timeline.deposit.settle' }
  const short = groupDigits(subtractDecimal(amount, settled))
  const payload = fieldOf(entry.after, 'providerPayload')
  const part = isObject(payload) ? fieldOf(payload, 'partialSettlement') : null
  return {
    word: 'timeline.deposit.settle_part',
    values: { settled: moneyIn(entry, 'settledAmount'), short },
    note: isObject(part) ? textOf(part, 'notes') : null,
  }
}
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const transferred: Teller = ({ after, names }) => {
  const nameOf = (key: string): string | undefined => names[textOf(after, key) ?? '']
  const note = textOf(after, 'note')
  const account = nameOf('accountId')
  const client = nameOf('toTraderId')
  switch (textOf(after, 'kind')) {
    case 'wallet_to_account':
      return account
        ? { word: 'timeline.transfer.to_account', values: { account }, note }
        : { word: 'timeline.transfer.to_some_account', note }
    case 'account_to_wallet':
      return account
        ? { word: 'timeline.transfer.from_account', values: { account }, note }
        : { word: 'timeline.transfer.from_some_account', note }
    default:
      return client
        ? { word: 'timeline.transfer.to_client', values: { client }, note }
        : { word: 'timeline.transfer.to_wallet', values: { currency: textOf(after, 'toCurrency') ?? '' }, note }
  }
}

const message: Teller = ({ after, actorKind }) => ({
  word:
    fieldOf(after, 'internal') === true
      ? 'timeline.message.internal'
      : actorKind === 'trader'
        ? 'timeline.message.client'
        : 'timeline.message.staff',
  note: textOf(after, 'body'),
})

/** By kind and action; a `*` stands for every other action of the kind. */
const TELLERS: Readonly<Record<string, Teller>> = {
  'deposit deposit.create': plain('timeline.deposit.create', 'note'),
  'deposit deposit.settle': plain('timeline.deposit.settle'),
  'deposit deposit.partial_settle': settledShort,
  'deposit deposit.first_word': (entry) => ({
    word: 'timeline.deposit.first_word',
    values: { settled: moneyIn(entry, 'firstWordAmount') },
  }),
  'deposit deposit.fail': plain('timeline.deposit.fail', 'failureReason'),
  'deposit deposit.cancel': plain('timeline.deposit.cancel'),
  'deposit deposit.gateway': plain('timeline.deposit.gateway'),
  'deposit deposit.gateway_failed': plain('timeline.deposit.gateway_failed', 'failureReason'),
  'withdrawal withdrawal.request': plain('timeline.withdrawal.request', 'note'),
  'withdrawal withdrawal.approve_first': plain('timeline.withdrawal.first'),
  'withdrawal withdrawal.approve': plain('timeline.withdrawal.approve'),
  'withdrawal withdrawal.reject': ({ after }) => ({
    word: 'timeline.withdrawal.reject',
    note: [textOf(after, 'rejectionDetail'), textOf(after, 'rejectionNote')].filter(Boolean).join('\n') || null,
  }),
  'withdrawal withdrawal.pay': ({ after }) => {
    const reference = textOf(after, 'paymentReference')
    return reference
      ? { word: 'timeline.withdrawal.pay_by', values: { reference } }
      : { word: 'timeline.withdrawal.pay' }
  },
  'withdrawal withdrawal.cancel': plain('timeline.withdrawal.cancel'),
  'withdrawal withdrawal.lapse': plain('timeline.withdrawal.lapse'),
  'payout_destination *': ({ after }) => {
    const kind = humanize(textOf(after, 'kind') ?? '').toLowerCase()
    const name = textOf(after, 'holder')
    return name
      ? { word: 'timeline.destination.create_for', values: { kind, name } }
      : { word: 'timeline.destination.create', values: { kind } }
  },
  'transfer transfer.create': transferred,
  'transfer transfer.acknowledge': ({ after }) =>
    textOf(after, 'state') === 'refused'
      ? { word: 'timeline.transfer.refused', note: textOf(after, 'refusalReason') }
      : { word: 'timeline.transfer.booked' },
  'adjustment adjustment.request': ({ after }) => ({
    word: textOf(after, 'direction') === 'debit' ? 'timeline.adjustment.debit' : 'timeline.adjustment.credit',
    note: textOf(after, 'reason'),
  }),
  'adjustment adjustment.approve': plain('timeline.adjustment.approve', 'decisionNote'),
  'adjustment adjustment.reject': plain('timeline.adjustment.reject', 'decisionNote'),
  'account account.create': ({ after }) => ({
    word: fieldOf(after, 'isDemo') === true ? 'timeline.account.create_demo' : 'timeline.account.create',
  }),
  'account account.update': changed('timeline.account.update'),
  'account account.delete': plain('timeline.account.delete'),
  'kyc_submission kyc.submit': ({ after }) => ({
    word: 'timeline.kyc.submit',
    values: { level: String(fieldOf(after, 'level') ?? '') },
  }),
  'kyc_submission kyc.approve': plain('timeline.kyc.approve', 'note'),
  'kyc_submission kyc.reject': plain('timeline.kyc.reject', 'rejectionDetail'),
  'kyc_submission kyc.revoke': plain('timeline.kyc.revoke', 'rejectionDetail'),
  'kyc_document kyc.document_confirm': ({ after }) => ({
    word: 'timeline.document.confirm',
    values: { kind: humanize(textOf(after, 'kind') ?? '').toLowerCase() },
  }),
  'kyc_document kyc.document_view': plain('timeline.document.view'),
  'sanctions_hit sanctions.hit': ({ after }) => ({
    word: 'timeline.sanctions.hit',
    values: { score: String(fieldOf(after, 'score') ?? '') },
  }),
  'ticket ticket.open': plain('timeline.ticket.open'),
  'ticket ticket.reply': plain('timeline.ticket.reply'),
  'ticket ticket.update': changed('timeline.ticket.update'),
  'ticket ticket.close': plain('timeline.ticket.close'),
  'ticket ticket.reopen': plain('timeline.ticket.reopen'),
  'ticket ticket.sla_warning': plain('timeline.ticket.warning'),
  'ticket ticket.sla_breached': plain('timeline.ticket.breached'),
  'ticket_message *': message,
  'trader_note *': plain('timeline.note', 'body'),
  'trader trader.create': plain('timeline.client.create'),
  'trader lead.convert': plain('timeline.client.convert'),
  'trader trader.update': changed('timeline.client.update'),
  'trader kyc.approve': ({ after }) => ({
    word: 'timeline.kyc.level',
    values: { level: String(fieldOf(after, 'kycLevel') ?? '') },
  }),
}

/** What one entry says, in a sentence with names, amounts and what changed. */
export const tell = (entry: TimelineEntry): Told => {
  const record = recordOf(entry)
  const teller = TELLERS[`${entry.entity} ${entry.action}`] ?? TELLERS[`${entry.entity} *`]
  const who = actorText(entry)
  const base = { record: record ?? { label: '', to: null }, who }
  const what = actionText(entry.action)
  // An erased entry has no fields left, and no record any more: then the name of the act is all that is known.
  if (!teller || (record === null && needsRecord(teller, entry))) {
    const sentence = record ? say('timeline.other', { record: RECORD, what: what.toLowerCase() }) : what
    return { ...base, sentence, note: null, changes: [] }
  }
  const { word, values, note = null, changes = [] } = teller(entry)
  return { ...base, sentence: say(word, { record: RECORD, ...values }), note, changes }
}

const needsRecord = (teller: Teller, entry: TimelineEntry): boolean => {
  const { word, values } = teller(entry)
  return say(word, { record: RECORD, ...values }).includes(RECORD)
}

// One act often writes several rows: these say nothing beside the row that the act was about.
const ECHOES: Readonly<Record<string, readonly string[]>> = {
  file: ['kyc_document', 'kyc_submission', 'trader'],
  trader: ['kyc_submission'],
  lead: ['trader'],
  ticket: ['ticket_message'],
  kyc_document: ['kyc_submission'],
}
const actOf = ({ at, actorId, record, entity }: TimelineEntry): string =>
  `${at} ${actorId} ${entity.startsWith('ticket') ? record?.id : ''}`

/** The entries that have something of their own to say, in their order. */
export const withoutEchoes = (entries: readonly TimelineEntry[]): TimelineEntry[] => {
  const acts = Map.groupBy(entries, actOf)
  return entries.filter((entry) => {
    const { entity, action } = entry
    if (entity === 'trader' && !action.startsWith('kyc.')) return true
    if (entity === 'ticket' && action !== 'ticket.reply') return true
    return !acts.get(actOf(entry))?.some((other) => ECHOES[entity]?.includes(other.entity))
  })
}
