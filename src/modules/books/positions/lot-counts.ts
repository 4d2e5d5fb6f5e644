import type { FieldError } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import type { PositionRow } from './positions.table.ts'

/** What a ticket's lots add up to, in units of 0.00000001 lot; `earlierVolume` was closed in legs before this one. */
export type LotCounts = Pick<PositionRow, 'volume' | 'openedVolume' | 'closedVolume' | 'earlierVolume'>
/** What a report says of the lots of one ticket. `closedVolume`, all that was closed, wins over what is worked out. */
type Said = { volume: bigint; isClosed: boolean; closedVolume: bigint | undefined }

/** A ticket of which nothing is known. */
export const NO_LOTS: LotCounts = { volume: 0n, openedVolume: 0n, closedVolume: 0n, earlierVolume: 0n }

/** Returns the larger one. */
export const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/**
 * Returns a ticket's lots after a report. A larger volume was added, a smaller one closed the difference. A close
 * closes its volume; without one, whatever was open. RULES “Positions”.
 */
export function countLots(before: LotCounts, { volume, isClosed, closedVolume }: Said): LotCounts {
  const added = larger(volume - before.volume, 0n)
  const gone = isClosed ? volume || before.volume : larger(before.volume - volume, 0n)
  const closed = closedVolume ?? before.closedVolume + gone
  const opened = larger(before.openedVolume + added, closed + (isClosed ? 0n : volume))
  const { earlierVolume } = before
  return { volume: volume || before.volume, openedVolume: opened, closedVolume: closed, earlierVolume }
}

/** Returns the lots of a ticket whose side turned: all of the leg before is closed, and the next one begins. */
export function beginLeg(before: LotCounts): { ended: LotCounts; begun: LotCounts } {
  const ended = countLots(before, { volume: 0n, isClosed: true, closedVolume: undefined })
  return { ended, begun: { ...ended, volume: 0n, earlierVolume: ended.closedVolume } }
}

/** Takes back what was counted for the last close of a ticket. */
export const reopenLots = ({ volume, openedVolume, closedVolume, earlierVolume }: LotCounts): LotCounts => ({
  volume,
  openedVolume,
  closedVolume: larger(closedVolume - volume, earlierVolume),
  earlierVolume,
})

/** Returns why a report of these lots cannot be true; undefined if it can. */
export function findLotFault(after: LotCounts, isClosed: boolean): FieldError | undefined {
  const lots = after.closedVolume - after.earlierVolume
  if (lots < 0n || (isClosed && lots === 0n))
    return { path: 'closedVolume', code: 'too_small', message: say('positions.field.closed_volume') }
  if (after.openedVolume > BigInt(Number.MAX_SAFE_INTEGER))
    return { path: 'volume', code: 'amount_range', message: say('positions.field.volume_range') }
  return undefined
}
