import type { Ctx } from '../../platform/access/ctx.ts'
import type { Principal } from '../../platform/access/principal.ts'
import type { Random } from './people.ts'

/** The staff who act in the demo. */
export type Desk = Readonly<Record<'owner' | 'admin' | 'manager' | 'second' | 'operator' | 'helper', Principal>>
/** What happens at a time. */
export type Step = { at: number; run: () => Promise<unknown> }
/** What the steps of the desk need: the firm's people, and the period. */
export type DeskSeed = { random: Random; start: number; end: number; as: (principal: Principal) => Ctx; desk: Desk }
/** A client for later steps; `made.id` is set once the client exists. */
export type Client = {
  made: { id: string }
  name: string
  country: string
  joined: number
  currency: string
  manager: Principal
  clerk: Principal
}
