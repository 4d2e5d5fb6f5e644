import { compareDecimal, subtractDecimal } from '../../../lib/text/decimal.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import type { FindStaffName } from '../../firm/users/users.api.ts'
import type { Deposit, NamedDeposit } from './deposits.api.ts'
import { say } from './words.ts'

/** Describes one event of a deposit's history. */
type Step = { key: string; text: string; at: string | null; note: string | null }

const money = (amount: string, currency: string): string => `${groupDigits(amount)} ${currency}`

/** Says who gave the first approval and for how much; null without a first approval. */
export const firstApprovalText = (
  { firstWord, currency }: Pick<Deposit, 'firstWord' | 'currency'>,
  findStaffName: FindStaffName,
): string | null =>
  firstWord &&
  say('deposits.step.first_word', {
    name: findStaffName(firstWord.by, firstWord.at) ?? say('deposits.by.colleague'),
    settledAmount: money(firstWord.settledAmount, currency),
  })

type Said = { status: string; at: string; reason?: string; reference?: string }
type Short = { settledAmount: string; notes: string; by: string }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isSaid = (value: unknown): value is Said =>
  isObject(value) && typeof value.status === 'string' && typeof value.at === 'string'
const isShort = (value: unknown): value is Short =>
  isObject(value) && typeof value.settledAmount === 'string' && typeof value.by === 'string'

/** Reads the results that the gateway reported for a deposit, in order. */
const readCallbacks = ({ providerPayload }: Deposit): Said[] =>
  'callbacks' in providerPayload && Array.isArray(providerPayload.callbacks)
    ? providerPayload.callbacks.filter(isSaid)
    : []

const readPartialSettlement = ({ providerPayload }: Deposit): Short | null =>
  'partialSettlement' in providerPayload && isShort(providerPayload.partialSettlement)
    ? providerPayload.partialSettlement
    : null

const GATEWAY_WORDS: Record<string, string> = {
  success: say('deposits.gateway.success'),
  failed: say('deposits.gateway.failed'),
  processing: say('deposits.gateway.processing'),
}

/** Names who created a deposit: a colleague, or the client and their gateway. */
export const describeAnnouncer = (
  { announcedBy, pspConnectionId, createdAt }: Pick<Deposit, 'announcedBy' | 'pspConnectionId' | 'createdAt'>,
  findStaffName: FindStaffName,
): string =>
  announcedBy !== null
    ? (findStaffName(announcedBy, createdAt) ?? say('deposits.by.colleague'))
    : pspConnectionId
      ? say('deposits.by.either')
      : say('deposits.by.client')

/** Names who credited a deposit; null if it is not credited. */
export const describeSettler = (
  { settledBy, settledAt }: Pick<Deposit, 'settledBy' | 'settledAt'>,
  findStaffName: FindStaffName,
): string | null =>
  settledAt === null
    ? null
    : settledBy === null
      ? say('deposits.by.gateway')
      : (findStaffName(settledBy, settledAt) ?? say('deposits.by.colleague'))

/** Lists what happened to a deposit so far, in order, in sentences that name who did it. */
export const listSteps = (deposit: Deposit, findStaffName: FindStaffName): Step[] => {
  const { amount, currency, settledAmount, status } = deposit
  const steps: Step[] = [
    {
      key: 'announced',
      text: say('deposits.step.announced', {
        announcer: describeAnnouncer(deposit, findStaffName),
        amount: money(amount, currency),
      }),
      at: deposit.createdAt,
      note: deposit.note,
    },
  ]
  for (const { status: said, at, reason, reference } of readCallbacks(deposit)) {
    const named = reference ? ` (${reference})` : ''
    steps.push({
      key: `said-${at}-${said}`,
      text: `${GATEWAY_WORDS[said] ?? say('deposits.gateway.other', { said })}${named}`,
      at,
      note: reason ?? null,
    })
  }
  const first = firstApprovalText(deposit, findStaffName)
  if (first) steps.push({ key: 'first', text: first, at: deposit.firstWord?.at ?? null, note: null })
  const settler = describeSettler(deposit, findStaffName)
  if (settler && settledAmount) {
    const isPartial = status === 'partially_settled'
    const missing = groupDigits(subtractDecimal(amount, settledAmount))
    const note = isPartial ? readPartialSettlement(deposit)?.notes || null : null
    steps.push({
      key: 'settled',
      text: say('deposits.step.settled', {
        settler,
        settledAmount: money(settledAmount, currency),
        isPartial: String(isPartial),
        missing,
      }),
      at: deposit.settledAt,
      note,
    })
  }
  if (status === 'failed')
    steps.push({ key: 'failed', text: say('deposits.step.failed'), at: deposit.updatedAt, note: deposit.failureReason })
  if (status === 'cancelled')
    steps.push({ key: 'cancelled', text: say('deposits.step.cancelled'), at: deposit.updatedAt, note: null })
  return steps
}

/**
 * Predicts what settling this amount will do. It `credits`; or `credits_or_refused` if the viewer created the deposit;
 * or `credits_or_first` if no colleague did: only the server knows from which amount on two people are needed. Null if
 * there is a first approval that this one does not complete; `FirstApproval` then says what happens.
 */
export const predictEffect = (
  { announcedBy, firstWord }: Deposit,
  amount: string,
  userId: string,
): 'credits' | 'credits_or_refused' | 'credits_or_first' | null => {
  if (firstWord) {
    const together = firstWord.by !== userId && compareDecimal(firstWord.settledAmount, amount) === 0
    return together ? 'credits' : null
  }
  if (announcedBy === null) return 'credits_or_first'
  return announcedBy === userId ? 'credits_or_refused' : 'credits'
}

/** Says what settling did: it credited all or a part, or it was the first of two approvals. */
export function describeSettled(
  { status, amount, settledAmount, currency, firstWord }: Deposit,
  client: string,
): string {
  const arrived = settledAmount ?? firstWord?.settledAmount ?? amount
  const said = { amount: money(arrived, currency), client }
  if (status === 'pending') return say('deposits.settle.done_first', said)
  if (status === 'settled') return say('deposits.settle.done', said)
  return say('deposits.settle.done_part', { ...said, missing: groupDigits(subtractDecimal(amount, arrived)) })
}

/** Names the amount and the client of a deposit, for a sentence about what was done with it. */
export const whoseDeposit = ({ amount, currency, traderName }: NamedDeposit) => ({
  amount: money(amount, currency),
  client: shownName(traderName),
})

/** Finds the id of the deposit that the server names when it refuses a reference that was credited before. */
export const namedDeposit = (detail: string | undefined): string | null => /\bdep_\w+/.exec(detail ?? '')?.[0] ?? null
