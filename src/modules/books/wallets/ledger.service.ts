import type { Tx } from '../../../platform/db/tx.ts'
import { maxMinor } from '../../../platform/money.ts'
import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { type LedgerAccount, ledgerEntries, ledgerTransactions, type WalletRow, wallets } from './wallets.table.ts'

/** One side of a posting, in minor units. Only legs of client accounts have a `wallet`. */
export type Leg = { account: LedgerAccount; wallet?: WalletRow; currency: string; amount: bigint }

/** A posting; `kind` and `reference` name its cause, which can be posted only once. */
type Posting = { kind: string; reference: string; description: string; legs: readonly Leg[] }

/** Returns the client's wallet in a currency, opened at zero on first use. */
export function walletFor(tx: Tx, traderId: string, currency: string): WalletRow {
  return tx.find(wallets, { traderId, currency }) ?? tx.insert(wallets, { traderId, currency })
}

const ledgerErrors = defineErrors('', () => ({
  insufficient_funds: [409, say('wallets.error.insufficient_funds')],
  amount_range: [422, say('wallets.error.amount_range')],
}))

const BUCKETS = { client_available: 'available', client_held: 'held' } as const

/**
 * Posts one balanced movement and updates the wallets with it. Throws, and so undoes the whole write, if the legs do
 * not sum to zero per currency, if a wallet would fall below zero (409 `insufficient_funds`), or if the cause was
 * posted before (409 `duplicate`). src/README “Ledger”.
 */
export function post(tx: Tx, posting: Posting): string {
  const sums = new Map<string, bigint>()
  for (const leg of posting.legs) sums.set(leg.currency, (sums.get(leg.currency) ?? 0n) + leg.amount)
  for (const [currency, sum] of sums)
    if (sum !== 0n) throw new Error(`posting ${posting.kind} does not balance in ${currency}`)
  const { id } = tx.insert(ledgerTransactions, {
    kind: posting.kind,
    reference: posting.reference,
    description: posting.description,
  })
  for (const leg of posting.legs) {
    if (leg.amount === 0n) throw new Error(`posting ${posting.kind} has an empty leg`)
    tx.insert(ledgerEntries, {
      transactionId: id,
      account: leg.account,
      currency: leg.currency,
      amount: leg.amount,
      walletId: leg.wallet?.id ?? null,
      traderId: leg.wallet?.traderId ?? null,
    })
    if (leg.account !== 'client_available' && leg.account !== 'client_held') continue
    if (!leg.wallet || leg.wallet.currency !== leg.currency)
      throw new Error(`posting ${posting.kind} names no wallet of its currency`)
    // the wallet is read again, since an earlier leg may have moved it
    const wallet = tx.get(wallets, leg.wallet.id)
    const bucket = BUCKETS[leg.account]
    const balance = wallet[bucket] + leg.amount
    if (balance < 0n) throw ledgerErrors.insufficient_funds()
    if (balance > maxMinor) throw ledgerErrors.amount_range()
    tx.update(wallets, wallet.id, { [bucket]: balance })
  }
  return id
}
