/** The columns between `opening` and `closing` of the tax report, in their order. */
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
 * The tax column of each kind of movement in the books. `inside` moves money between available and held in one wallet;
 * `sent` and `taken back` are the two directions of a transfer, or of a conversion between one client's wallets.
 * `opening` is what a client brought when the firm moved in, and belongs to the balance before. A test fails if a kind
 * that the program posts is missing.
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

/** The kinds that do not change the total of a wallet. */
export const INSIDE: readonly string[] = Object.keys(KINDS).filter((kind) => KINDS[kind] === 'inside')

/**
 * Returns the column of one movement of a wallet. `isConversion` means that the other side is another wallet of the
 * same client. A kind that this version does not know counts as an adjustment, so that the sum is still right.
 */
export function pickTaxColumn(kind: string, amount: bigint, isConversion: boolean): TaxColumn | 'opening' {
  const column = KINDS[kind] ?? 'adjustments'
  if (column === 'inside') return 'adjustments'
  if (column !== 'sent' && column !== 'taken back') return column
  if (isConversion) return 'converted'
  // money that a platform refused goes back into the column where it was counted
  return amount > 0n === (column === 'sent') ? 'transfersIn' : 'transfersOut'
}
