import type { ReactNode } from 'react'
import { type KeyFigure, KeyFigures, Sums } from '../../../components/show/key-figures.tsx'
import type { Overview } from '../../clients/traders/traders.api.ts'
import { say } from './words.ts'

type AddedUp = Overview['deposited']

/** Returns the sums by currency, or says that there are too many records to sum. */
const renderSums = (found: NonNullable<AddedUp>): ReactNode =>
  found.byCurrency ? (
    <Sums sums={found.byCurrency} none={say('client.none')} />
  ) : (
    <span className="dim">{say('client.too_many')}</span>
  )

/** Returns the client's figures that the reader may see. */
const buildFigures = ({ wallets, deposited, paidOut, openPositions, records }: Overview): KeyFigure[] => {
  const items: KeyFigure[] = []
  if (wallets) {
    const of = (part: 'available' | 'held') => wallets.map((wallet) => ({ ...wallet, amount: wallet[part] }))
    const held = of('held').filter(({ amount }) => Number(amount) !== 0)
    items.push(
      {
        label: say('client.available'),
        value: <Sums sums={of('available')} none={say('client.none')} />,
        tab: 'wallets',
        term: 'available',
      },
      {
        label: say('client.held'),
        value: <Sums sums={held} none={say('client.none')} />,
        tab: 'wallets',
        term: 'held',
      },
    )
  }
  if (deposited) items.push({ label: say('client.deposited'), value: renderSums(deposited), tab: 'deposits' })
  if (paidOut) items.push({ label: say('client.paid_out'), value: renderSums(paidOut), tab: 'withdrawals' })
  if (openPositions)
    items.push({ label: say('client.open_profit'), value: renderSums(openPositions), tab: 'positions' })
  if (records.tickets) {
    const { waiting } = records.tickets
    const value = waiting > 0 ? waiting : <span className="dim">{say('common.none')}</span>
    items.push({ label: say('client.open_tickets'), value, tab: 'tickets', isWaiting: waiting > 0 })
  }
  return items
}

export const TraderFigures = ({ overview }: { overview: Overview | undefined }) =>
  overview && <KeyFigures label={say('client.figures')} items={buildFigures(overview)} />
