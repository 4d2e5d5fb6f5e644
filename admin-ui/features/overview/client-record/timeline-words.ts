import { subtractDecimal } from '../../../lib/text/decimal.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { stateName } from '../../../lib/text/state-name.ts'
import { actionText, actorText } from '../../clients/audit/audit-words.ts'
import { kindName } from '../../clients/kyc/kyc-words.tsx'
import { ticketStateName } from '../../clients/support/ticket-words.tsx'
import type { TimelineEntry } from '../../clients/traders/traders.api.ts'
import { listChanges } from './timeline-changes.ts'
import { type SentenceKey, say } from './words.ts'

/** This character marks the place in a sentence where the link to the record is shown. */
export const RECORD = '\uFFFC'

type Sentence = {
  /** It contains `RECORD` where the record is named. */
  sentence: string
  /** `to` is the page of the record, or null where it has none. */
  record: { label: string; to: string | null }
  who: string
  /** A colleague or program wrote this about the act. */
  note: string | null
  changes: string[]
}

const findField = (fields: object | null, key: string): unknown =>
  Object.entries(fields ?? {}).find(([name]) => name === key)?.[1]
const findText = (fields: object | null, key: string): string | null => {
  const value = findField(fields, key)
  return typeof value === 'string' && value !== '' ? value : null
}

const RECORDS: Readonly<Record<string, SentenceKey>> = {
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

const toRecordLink = ({ record }: TimelineEntry): Sentence['record'] | null => {
  const key = record && RECORDS[record.entity]
  if (!record || !key) return null
  const { entity, id, name, amount, currency } = record
  const page = PAGES[entity]
  return {
    label:
      entity === 'account' && name === null
        ? say('timeline.record.account_new')
        : say(key, { name: name ?? '', amount: amount && currency ? money(amount, currency) : '' }),
    to: page ? `${page}/${id}` : null,
  }
}

type Part = { key: SentenceKey; values?: Record<string, string>; note?: string | null; changes?: string[] }
type Teller = (entry: TimelineEntry) => Part

const plain =
  (key: SentenceKey, noted?: string): Teller =>
  ({ after }) => ({ key, note: noted === undefined ? null : findText(after, noted) })
const changed =
  (key: SentenceKey, nameState = stateName): Teller =>
  (entry) => ({ key, changes: listChanges({ ...entry, nameState }) })

/** Returns the amount in a field of an entry, in the currency of its record. */
const moneyIn = ({ after, record }: TimelineEntry, key: string): string => {
  const amount = findText(after, key)
  return amount && record?.currency ? money(amount, record.currency) : ''
}

const settledShort: Teller = (entry) => {
  const settled = findText(entry.after, 'settledAmount')
  const amount = entry.record?.amount
  if (!settled || !amount) return { key: 'timeline.deposit.settle' }
  const short = groupDigits(subtractDecimal(amount, settled))
  const payload = findField(entry.after, 'providerPayload')
  const part = isObject(payload) ? findField(payload, 'partialSettlement') : null
  return {
    key: 'timeline.deposit.settle_part',
    values: { settled: moneyIn(entry, 'settledAmount'), short },
    note: isObject(part) ? findText(part, 'notes') : null,
  }
}
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const transferred: Teller = ({ after, names }) => {
  const findName = (key: string): string | undefined => names[findText(after, key) ?? '']
  const note = findText(after, 'note')
  const account = findName('accountId')
  const client = findName('toTraderId')
  switch (findText(after, 'kind')) {
    case 'wallet_to_account':
      return account
        ? { key: 'timeline.transfer.to_account', values: { account }, note }
        : { key: 'timeline.transfer.to_some_account', note }
    case 'account_to_wallet':
      return account
        ? { key: 'timeline.transfer.from_account', values: { account }, note }
        : { key: 'timeline.transfer.from_some_account', note }
    default:
      return client
        ? { key: 'timeline.transfer.to_client', values: { client }, note }
        : { key: 'timeline.transfer.to_wallet', values: { currency: findText(after, 'toCurrency') ?? '' }, note }
  }
}

const message: Teller = ({ after, actorKind }) => ({
  key:
    findField(after, 'internal') === true
      ? 'timeline.message.internal'
      : actorKind === 'trader'
        ? 'timeline.message.client'
        : 'timeline.message.staff',
  note: findText(after, 'body'),
})

/** Each key is a kind of record and an action; `*` is every other action of the kind. */
const TELLERS: Readonly<Record<string, Teller>> = {
  'deposit deposit.create': plain('timeline.deposit.create', 'note'),
  'deposit deposit.settle': plain('timeline.deposit.settle'),
  'deposit deposit.partial_settle': settledShort,
  'deposit deposit.first_word': (entry) => ({
    key: 'timeline.deposit.first_word',
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
    key: 'timeline.withdrawal.reject',
    note: [findText(after, 'rejectionDetail'), findText(after, 'rejectionNote')].filter(Boolean).join('\n') || null,
  }),
  'withdrawal withdrawal.pay': ({ after }) => {
    const reference = findText(after, 'paymentReference')
    return reference ? { key: 'timeline.withdrawal.pay_by', values: { reference } } : { key: 'timeline.withdrawal.pay' }
  },
  'withdrawal withdrawal.cancel': plain('timeline.withdrawal.cancel'),
  'withdrawal withdrawal.lapse': plain('timeline.withdrawal.lapse'),
  'payout_destination *': ({ after }) => {
    const kind = findText(after, 'kind') ?? ''
    const name = findText(after, 'holder')
    return name
      ? { key: 'timeline.destination.create_for', values: { kind, name } }
      : { key: 'timeline.destination.create', values: { kind } }
  },
  'transfer transfer.create': transferred,
  'transfer transfer.acknowledge': ({ after }) =>
    findText(after, 'state') === 'refused'
      ? { key: 'timeline.transfer.refused', note: findText(after, 'refusalReason') }
      : { key: 'timeline.transfer.booked' },
  'adjustment adjustment.request': ({ after }) => ({
    key: findText(after, 'direction') === 'debit' ? 'timeline.adjustment.debit' : 'timeline.adjustment.credit',
    note: findText(after, 'reason'),
  }),
  'adjustment adjustment.approve': plain('timeline.adjustment.approve', 'decisionNote'),
  'adjustment adjustment.reject': plain('timeline.adjustment.reject', 'decisionNote'),
  'account account.create': ({ after }) => ({
    key: findField(after, 'isDemo') === true ? 'timeline.account.create_demo' : 'timeline.account.create',
  }),
  'account account.update': changed('timeline.account.update'),
  'account account.delete': plain('timeline.account.delete'),
  'kyc_submission kyc.submit': ({ after }) => ({
    key: 'timeline.kyc.submit',
    values: { level: String(findField(after, 'level') ?? '') },
  }),
  'kyc_submission kyc.approve': plain('timeline.kyc.approve', 'note'),
  'kyc_submission kyc.reject': plain('timeline.kyc.reject', 'rejectionDetail'),
  'kyc_submission kyc.revoke': plain('timeline.kyc.revoke', 'rejectionDetail'),
  'kyc_document kyc.document_confirm': ({ after }) => ({
    key: 'timeline.document.confirm',
    values: { kind: kindName(findText(after, 'kind') ?? '') },
  }),
  'kyc_document kyc.document_view': plain('timeline.document.view'),
  'sanctions_hit sanctions.hit': ({ after }) => ({
    key: 'timeline.sanctions.hit',
    values: { score: String(findField(after, 'score') ?? '') },
  }),
  'ticket ticket.open': plain('timeline.ticket.open'),
  'ticket ticket.reply': plain('timeline.ticket.reply'),
  'ticket ticket.update': changed('timeline.ticket.update', ticketStateName),
  'ticket ticket.close': plain('timeline.ticket.close'),
  'ticket ticket.reopen': plain('timeline.ticket.reopen'),
  'ticket ticket.sla_warning': plain('timeline.ticket.warning'),
  'ticket ticket.sla_breached': plain('timeline.ticket.breached'),
  'ticket_message *': message,
  'trader_note *': plain('timeline.note', 'body'),
  'trader trader.create': plain('timeline.client.create'),
  'trader lead.convert': plain('timeline.client.convert'),
  'trader trader.update': changed('timeline.client.update'),
  'trader trader.bulk_edit': changed('timeline.client.update_several'),
  'trader trader.bulk_segments': changed('timeline.client.update_several'),
  'lead lead.update': changed('timeline.lead.update'),
  'lead lead.assign': changed('timeline.lead.update'),
  'trader kyc.approve': ({ after }) => ({
    key: 'timeline.kyc.level',
    values: { level: String(findField(after, 'kycLevel') ?? '') },
  }),
}

/** Returns an entry as a sentence with names and amounts, and what changed. */
export const tell = (entry: TimelineEntry): Sentence => {
  const record = toRecordLink(entry)
  const teller = TELLERS[`${entry.entity} ${entry.action}`] ?? TELLERS[`${entry.entity} *`]
  const who = actorText(entry)
  const base = { record: record ?? { label: '', to: null }, who }
  const what = actionText(entry.action)
  // An erased entry has neither fields nor a record: then only the name of the act is known.
  if (!teller || (record === null && needsRecord(teller, entry))) {
    const sentence = record ? say('timeline.other', { record: RECORD, what: what.toLowerCase() }) : what
    return { ...base, sentence, note: null, changes: [] }
  }
  const { key, values, note = null, changes = [] } = teller(entry)
  return { ...base, sentence: say(key, { record: RECORD, ...values }), note, changes }
}

const needsRecord = (teller: Teller, entry: TimelineEntry): boolean => {
  const { key, values } = teller(entry)
  return say(key, { record: RECORD, ...values }).includes(RECORD)
}

// One act often writes several rows. A row of a kind on the left repeats a row of the kinds that are listed for it.
const ECHOES: Readonly<Record<string, readonly string[]>> = {
  file: ['kyc_document', 'kyc_submission', 'trader'],
  trader: ['kyc_submission'],
  lead: ['trader'],
  ticket: ['ticket_message'],
  kyc_document: ['kyc_submission'],
}
const groupKey = ({ at, actorId, record, entity }: TimelineEntry): string =>
  `${at} ${actorId} ${entity.startsWith('ticket') ? record?.id : ''}`

/** Returns the entries in their order, without those that only repeat another entry of the same act. */
export const withoutEchoes = (entries: readonly TimelineEntry[]): TimelineEntry[] => {
  const acts = Map.groupBy(entries, groupKey)
  return entries.filter((entry) => {
    const { entity, action } = entry
    if (entity === 'trader' && !action.startsWith('kyc.')) return true
    if (entity === 'ticket' && action !== 'ticket.reply') return true
    return !acts.get(groupKey(entry))?.some((other) => ECHOES[entity]?.includes(other.entity))
  })
}
