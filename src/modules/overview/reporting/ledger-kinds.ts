/** The columns between `opening` and `closing` of the tax report, in its order. */
export const TAX_COLUMNS = [
  'deposits',
  'withdrawals',
  'transfersIn',
  'transfersOut',
  'converted',
  'adjustments',
  'commissions',
  'merged',
] as const
export type TaxColumn = (typeof TAX_COLUMNS)[number]

/**
 * What each kind of movement in the books is to a client. `inside` moves between what is available and what is held of
 * one wallet; `sent` and `taken back` are a transfer's two directions, or a conversion between wallets of one client.
 * `opening` is what a client brought along when the firm moved in: it belongs to what there was before.
 * A test finds every kind that the program posts, and fails for one that is not here.
 */
const KINDS: Readonly<Record<string, TaxColumn | 'opening' | 'inside' | 'sent' | 'taken back'>> = {
  deposit: 'deposits',
  withdrawal_hold: 'inside',
  withdrawal_release: 'inside',
  withdrawal_pay: 'withdrawals',
  transfer: 'sent',
  transfer_booked: 'inside',
  transfer_refused: 'taken back',
  adjustment: 'adjustments',
  commission: 'commissions',
  merge: 'merged',
  opening: 'opening',
  opening_undone: 'opening',
}

export const isLedgerKind = (kind: string): boolean => Object.hasOwn(KINDS, kind)

/** The kinds that change nothing of what a wallet holds in all. */
export const INSIDE: readonly string[] = Object.keys(KINDS).filter((kind) => KINDS[kind] === 'inside')

/**
 * The column of one movement of a wallet. `isConversion`: another wallet of the same client, of another currency, is
 * the other side. What an older or newer program posted under a name that is not known here is an adjustment: it is
 * shown, and the sum holds.
 */
export function taxColumnOf(kind: string, amount: bigint, isConversion: boolean): TaxColumn | 'opening' {
  const column = KINDS[kind] ?? 'adjustments'
  if (column === 'inside') return 'adjustments'
  if (column !== 'sent' && column !== 'taken back') return column
  if (isConversion) return 'converted'
  // what a platform refused comes back to where it was counted
  return amount > 0n === (column === 'sent') ? 'transfersIn' : 'transfersOut'
}
