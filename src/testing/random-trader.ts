import type { Deal } from '../modules/terminals/contract/terminal.ts'
import { ROLLOVER } from './example-deals.ts'
import { pick, type Random } from './insider/draw.ts'

type Side = 'long' | 'short'
/** A leg as the model knows it: each item of `units` is a hundredth of a lot, named after the deal that opened it. */
type ModelLeg = { ticket: string; side: Side; units: string[]; opened: number; closed: number; lost: number }
export type Model = { legs: ModelLeg[]; closings: Record<string, number>; number: string; symbol: string }
/** One act of the trader: which positions were how before it, and its deals. */
type Act = { before: Map<string, Model>; deals: Deal[] }

const toLots = (hundredths: number): string => (hundredths / 100).toFixed(2)
/** A trader on an account, and a second way to know what the trades come to, which looks at single hundredths. */
export class Trader {
  readonly positions = new Map<string, Model>()
  /** The first number of what goes on under another one. */
  readonly renumbered = new Map<string, string>()
  readonly #acts: Act[] = []
  readonly #any: Random
  readonly #isNetting: boolean
  #last = 90
  #now = 1_000_000
  #act: Act = { before: new Map(), deals: [] }

  constructor(any: Random, isNetting: boolean) {
    this.#any = any
    this.#isNetting = isNetting
  }
  get deals(): Deal[] {
    return this.#acts.flatMap(({ deals }) => deals)
  }

  trade(acts: number): void {
    for (let count = 0; count < acts; count += 1) {
      this.#now += this.#any(3) * 1000
      this.#act = { before: new Map(), deals: [] }
      const open = [...this.positions].filter(([, { legs }]) => isOpen(legs.at(-1)))
      const chosen = pick(this.#any, open)
      const kind = this.#any(12)
      if (!chosen || (!this.#isNetting && kind < 3) || (this.#isNetting && open.length < 3 && kind === 0)) this.#begin()
      else if (kind < 5) this.#add(...chosen)
      else if (kind < 8) this.#reduce(...chosen)
      else if (kind === 8 && this.#isNetting) this.#reverse(...chosen)
      else if (kind === 8) this.#closeBy(open)
      else if (kind < 11) this.#moveOver(...chosen)
      else this.#cancel()
      if (this.#act.deals.length > 0) this.#acts.push(this.#act)
    }
  }

  /** Makes a deal on a position, whose state before it is remembered for the case that it is cancelled. */
  #deal(model: Model, side: Side, entry: Deal['entry'], hundredths: number, rest: Partial<Deal> = {}): Deal {
    const root = this.renumbered.get(model.number) ?? model.number
    if (!this.#act.before.has(root)) this.#act.before.set(root, structuredClone(model))
    this.#last += 1 + this.#any(3)
    const amount = (most: number) => ((this.#any(2 * most) - most) / 1000).toFixed(3)
    const deal: Deal = {
      id: String(this.#last),
      login: '500123',
      at: this.#now,
      kind: 'trade',
      action: 0,
      entry,
      position: model.number,
      order: entry === 'in' ? model.number : String(50_000 + this.#last),
      symbol: model.symbol,
      side,
      lots: toLots(hundredths),
      lotsClosed: null,
      price: (1 + this.#any(1000) / 1000).toFixed(3),
      profit: entry === 'in' && this.#any(4) > 0 ? '0' : amount(90_000),
      swap: amount(4000),
      commission: amount(9000),
      fee: this.#any(3) === 0 ? amount(900) : '0',
      spread: this.#any(6) === 0 ? null : (this.#any(5000) / 1000).toFixed(3),
      technical: false,
      reason: 'client',
      comment: '',
      flags: [],
      cancelled: false,
      ...rest,
    }
    this.#act.deals.push(deal)
    return deal
  }

  #begin(): void {
    this.#last += 1
    const number = String(this.#last)
    const side = this.#any(2) === 0 ? 'long' : 'short'
    const leg = { ticket: number, side, units: [], opened: 0, closed: 0, lost: 0 } as const
    const model: Model = {
      legs: [{ ...leg, units: [] }],
      closings: {},
      number,
      symbol: this.#any(2) ? 'EURUSD' : 'XAUUSD',
    }
    this.positions.set(number, model)
    for (let fill = this.#any(3); fill >= 0; fill -= 1) this.#add(number, model)
  }
  #add(_: string, model: Model): void {
    const lots = 1 + this.#any(120)
    const leg = last(model)
    openUnits(leg, this.#deal(model, leg.side, 'in', lots).id, lots)
  }
  #reduce(_: string, model: Model): void {
    const leg = last(model)
    const open = countOpen(leg)
    const lots = this.#any(2) === 0 ? open : 1 + this.#any(open)
    closeUnits(model, this.#deal(model, turned(leg.side), 'out', lots).id, lots)
  }
  #reverse(_: string, model: Model): void {
    const leg = last(model)
    const open = countOpen(leg)
    const more = 1 + this.#any(120)
    const deal = this.#deal(model, turned(leg.side), 'turn', open + more, { lotsClosed: toLots(open) })
    closeUnits(model, deal.id, open)
    const next = { ticket: deal.order ?? '', side: turned(leg.side), units: [], opened: 0, closed: 0, lost: 0 }
    model.legs.push(next)
    openUnits(next, deal.id, more)
  }
  #closeBy(open: [string, Model][]): void {
    for (const [, one] of open)
      for (const [, other] of open) {
        if (one.symbol !== other.symbol || last(one).side !== 'long' || last(other).side !== 'short') continue
        const lots = Math.min(countOpen(last(one)), countOpen(last(other)))
        closeUnits(one, this.#deal(one, 'short', 'by', lots).id, lots)
        const none = { profit: '0', swap: '0', commission: '0', fee: '0' }
        closeUnits(other, this.#deal(other, 'long', 'by', lots, none).id, lots)
        return
      }
  }
  /** A technical deal takes the lots out; mostly another one brings them in again, perhaps under another number. */
  #moveOver(root: string, model: Model): void {
    const leg = last(model)
    const open = countOpen(leg)
    this.#deal(model, turned(leg.side), 'out', open, ROLLOVER)
    leg.lost += open
    const kind = this.#any(8)
    // what is settled would look like the beginning of the next one's rollover
    if (kind === 0) for (const deal of this.#act.deals) deal.reason = 'settlement'
    if (kind === 0) return
    if (kind < 4) {
      this.#last += 1
      model.number = String(this.#last)
      this.renumbered.set(model.number, root)
    }
    // a split cannot be told from another position by its lots, so it keeps its number
    const lots = kind === 7 ? 1 + this.#any(2 * open) : open
    const { id } = this.#deal(model, leg.side, 'in', lots, ROLLOVER)
    const back = Math.min(lots, leg.lost)
    leg.lost -= back
    openUnits(leg, id, lots - back)
  }
  /** Cancels the latest act, if it is not the beginning of a position and no other act followed on its positions. */
  #cancel(): void {
    const act = this.#acts.at(-1)
    if (!act || act.deals.some(({ technical, cancelled }) => technical || cancelled)) return
    for (const deal of act.deals) deal.cancelled = true
    for (const [number, before] of act.before) this.positions.set(number, before)
  }
}

const isOpen = (leg: ModelLeg | undefined): boolean => leg !== undefined && countOpen(leg) > 0
export const countOpen = ({ units, lost }: ModelLeg): number => units.length - lost
const turned = (side: Side): Side => (side === 'long' ? 'short' : 'long')
export function last({ legs }: Model): ModelLeg {
  const leg = legs.at(-1)
  if (!leg) throw new Error('A position has a leg.')
  return leg
}
function openUnits(leg: ModelLeg, deal: string, lots: number): void {
  for (let count = 0; count < lots; count += 1) leg.units.push(deal)
  leg.opened += lots
}
function closeUnits(model: Model, deal: string, lots: number): void {
  const leg = last(model)
  for (const opener of leg.units.splice(0, lots)) {
    const key = `${opener}-${deal}`
    model.closings[key] = (model.closings[key] ?? 0) + 1
  }
  leg.closed += lots
}
