import { compareDecimal, subtractDecimal } from '../../../lib/text/decimal.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import type { FindStaffName } from '../../firm/users/users.api.ts'
import type { Deposit } from './deposits.api.ts'
import { say } from './words.ts'

/** One thing that happened to a deposit, in words. */
type Step = { key: string; text: string; at: string | null; note: string | null }

const money = (amount: string, currency: string): string => `${groupDigits(amount)} ${currency}`

/** "Ingrid said 50,000.00 EUR arrived; a second person settles it." Null where nobody gave a first word. */
export const firstWordText = ({ firstWord, currency }: Deposit, findStaffName: FindStaffName): string | null =>
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

/** What the gateway said about it, one after the other. */
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

/** Who announced a deposit: a colleague, or the client and their gateway. */
export const describeAnnouncer = (
  { announcedBy, pspConnectionId, createdAt }: Deposit,
  findStaffName: FindStaffName,
): string =>
  announcedBy !== null
    ? (findStaffName(announcedBy, createdAt) ?? say('deposits.by.colleague'))
    : pspConnectionId
      ? say('deposits.by.either')
      : say('deposits.by.client')

/** Who credited a deposit; null while nobody did. */
export const describeSettler = ({ settledBy, settledAt }: Deposit, findStaffName: FindStaffName): string | null =>
  settledAt === null
    ? null
    : settledBy === null
      ? say('deposits.by.gateway')
      : (findStaffName(settledBy, settledAt) ?? say('deposits.by.colleague'))

/** What happened to a deposit so far, in order, in sentences that name who did it. */
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
  const first = firstWordText(deposit, findStaffName)
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
 * What somebody's word that this amount arrived will do: it `credits`, or `credits_or_refused` where they announced
 * the deposit, or `credits_or_first` where none of the staff did, since only the server knows from which amount on it
 * takes two. Null where a first word was given: what another one does beside it is told with that.
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

/** What settling does now: credits, or is the first of two words. */
export const describeSettled = ({ status }: Deposit): string =>
  status === 'pending'
    ? say('deposits.settle.done_first')
    : status === 'partially_settled'
      ? say('deposits.settle.done_part')
      : say('deposits.settle.done')

/** The deposit that the server names when a reference was credited before. */
export const namedDeposit = (detail: string | undefined): string | null => /\bdep_\w+/.exec(detail ?? '')?.[0] ?? null
