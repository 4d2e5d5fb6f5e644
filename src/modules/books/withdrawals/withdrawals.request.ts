import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { getTraderId } from '../../../platform/access/principal.ts'
import { shortCard } from '../../../platform/card-numbers.ts'
import { isHidden } from '../../../platform/db/hidden-fields.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { cardNumber, invalid } from '../../../platform/problem.ts'
import { sha256Hex } from '../../../platform/secrets.ts'
import { knownCurrency, parsePositiveAmountField } from '../../../platform/wire/fields.ts'
import { joinReference, listIbans, plainBankReference } from '../../../words/iban.ts'
import { say } from '../../../words/say.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { independenceErrors } from '../../firm/independence/independence.errors.ts'
import { couldBeClient, personBehind } from '../../firm/independence/independence.service.ts'
import { readPeople } from '../../firm/independence/people.ts'
import { reaches, readMeasure, requirementFor } from '../approval-policy/approval-policy.ts'
import { wallets } from '../wallets/wallets.table.ts'
import { sumForClient } from './votes.ts'
import { discreetly, refuseBlocked } from './withdrawals.checks.ts'
import { withdrawalErrors } from './withdrawals.errors.ts'
import { toWithdrawal, type Withdrawal, type WithdrawalIn, withdrawalPayload } from './withdrawals.model.ts'
import { move } from './withdrawals.service.ts'
import { type DestinationRow, payoutDestinations, withdrawals } from './withdrawals.table.ts'

type Wanted = Static<typeof WithdrawalIn>['destination']

/** Returns a destination as stored; of a card only scheme and last four digits, else 422. RULES “Card numbers”. */
function keptForm(input: Wanted): Wanted {
  if (input.kind !== 'card') {
    // a partly hidden reference, as staff below manager see it, does not name a destination
    if (isHidden(input.reference))
      throw invalid('destination.reference', 'format', say('withdrawals.field.hidden_reference'))
    // the second account would be paid, but only the first one checked
    if (input.kind === 'bank' && listIbans(input.reference).length > 1)
      throw invalid('destination.reference', 'one_of', say('withdrawals.field.two_accounts'))
    return input
  }
  const reference = shortCard(input.reference)
  if (reference !== undefined) return { ...input, reference }
  const wrong = { path: 'destination.reference', message: say('withdrawals.field.card_short') }
  throw cardNumber([{ ...wrong, code: 'card_number' }])
}

/** An address means the same without these prefixes; the name of any other network or service is part of it. */
const OWN_NETWORK = /^(?:bitcoin|litecoin|dogecoin|ethereum):(?:\/\/)?/i
/** Returns an address without blanks, invisible characters, and the parts that wallets add when it is copied. */
function plainAddress(kind: string, reference: string): string {
  const shown = reference.replace(/[\s\p{Cf}]/gu, '')
  return (kind === 'crypto' ? shown.replace(OWN_NETWORK, '').replace(/\?.*$/, '') : shown) || reference
}

/**
 * Returns what identifies a destination. For a bank account this is its IBAN, without spaces, dashes and case; in a
 * crypto or e-wallet address every letter counts. A card is not hashed, as a hash would not hide its last four digits.
 */
const fingerprintDestination = (kind: string, reference: string): string => {
  if (kind === 'card') return `card ${reference.toUpperCase()}`
  const plain = kind === 'bank' ? plainBankReference(reference) || reference : plainAddress(kind, reference)
  return sha256Hex(`${kind}\n${plain}`)
}

/**
 * Returns the client's destination with this reference and holder. With another holder it is another destination, with
 * its own author.
 */
function destinationFor(tx: Tx, ctx: Ctx, traderId: string, given: Wanted): DestinationRow {
  const input = keptForm(given)
  const fingerprint = fingerprintDestination(input.kind, input.reference)
  const known = tx.find(payoutDestinations, {
    traderId,
    fingerprint,
    ...(input.holder === undefined ? {} : { holder: input.holder }),
  })
  // the words beside a number may name a part of a shared account, so a destination with other words is not the same
  if (known?.kind === 'bank' && joinReference(known.reference) !== joinReference(input.reference))
    throw invalid('destination.reference', 'in_use', say('withdrawals.field.other_words'))
  if (known) return known
  const createdBy = personBehind(ctx)
  if (createdBy !== null) {
    const people = readPeople(tx.unowned, tx.now)
    if (couldBeClient(tx.unowned, people, createdBy, traderId, tx.now)) throw independenceErrors.own_client()
  }
  const destination = { ...input, holder: input.holder ?? null, traderId, fingerprint, createdBy }
  return tx.insert(payoutDestinations, destination, 'payout_destination.create')
}

/**
 * Requests a withdrawal and holds the amount in the ledger. 409 if the client is blocked or the wallet has less free.
 * RULES “Withdrawals”.
 */
export function requestWithdrawal(ctx: Ctx, input: Static<typeof WithdrawalIn>): Promise<Withdrawal> {
  const traderId = getTraderId(ctx.principal, input.traderId)
  const currency = knownCurrency('currency', input.currency)
  const amount = parsePositiveAmountField('amount', input.amount, currency)
  return ctx.write('withdrawal.request', (tx) => {
    const trader = tx.find(traders, { id: traderId })
    if (!trader) throw invalid('traderId', 'unknown', say('problems.field.client_unknown'))
    discreetly(ctx.principal, () => refuseBlocked(tx.unowned, trader))
    const wallet = tx.find(wallets, { traderId, currency })
    if (!wallet || wallet.available < amount) throw withdrawalErrors.insufficient_funds()
    const destination = destinationFor(tx, ctx, traderId, input.destination)
    const requestedBy = personBehind(ctx)
    const row = tx.insert(withdrawals, {
      traderId,
      walletId: wallet.id,
      destinationId: destination.id,
      currency,
      amount,
      note: input.note ?? null,
      askedLarge: isLarge(tx, requestedBy, traderId, amount, currency),
      requestedBy,
    })
    move(tx, row, 'withdrawal_hold', 'client_available', 'client_held', say('withdrawals.ledger.requested'))
    tx.emit('withdrawal.requested', withdrawalPayload(row))
    return toWithdrawal(row)
  })
}

/**
 * Returns whether two people are needed now, because of the amount or of the sum of this person's requests for this
 * client in 24 hours.
 */
function isLarge(tx: Tx, requestedBy: string | null, traderId: string, amount: bigint, currency: string): boolean {
  const db = tx.unowned
  const measure = readMeasure(db, tx.now)
  if (requirementFor(measure, amount, currency).approvals > 1) return true
  if (requestedBy === null) return false
  const around = { db, people: readPeople(db, tx.now), now: tx.now }
  return reaches(measure, measure.sum(sumForClient(around, requestedBy, traderId, { id: null, amount, currency })))
}
