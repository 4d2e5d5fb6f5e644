import type { Ctx } from '../../platform/access/ctx.ts'
import type { Principal } from '../../platform/access/principal.ts'
import type { Random } from './people.ts'

/** Staff who act in the demo. */
export type Desk = Readonly<Record<'owner' | 'admin' | 'manager' | 'second' | 'operator' | 'helper', Principal>>
/** Something that happened at a time. */
export type Step = { at: number; run: () => Promise<unknown> }
/** What the desk's day is seeded with: the firm's people, and where a step may be put. */
export type DeskSeed = { random: Random; start: number; end: number; as: (principal: Principal) => Ctx; desk: Desk }
/** A trader as far as later steps go; `made.id` is there once the trader is. */
export type Client = {
  made: { id: string }
  name: string
  country: string
  joined: number
  currency: string
  manager: Principal
  clerk: Principal
}
