import { toIso } from '../../../platform/clock.ts'
import { defineStates, mayBecome } from '../../../platform/db/states.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { wrongState } from '../../../platform/problem.ts'
import { type InstructionRow, terminalInstructions } from './instructions.table.ts'

/** An instruction that was known not to be sent waits again; one that may have been sent never does. */
const states = defineStates({
  queued: ['sending', 'done', 'refused', 'cancelled'],
  sending: ['queued', 'done', 'refused', 'unclear'],
  unclear: ['sending', 'done', 'refused', 'unresolved'],
  unresolved: ['done', 'refused'],
  done: [],
  refused: [],
  cancelled: [],
})

type State = InstructionRow['state']
/** The states of what is not at its end. */
export const OPEN_STATES = ['queued', 'sending', 'unclear', 'unresolved'] as const satisfies readonly State[]

/** An instruction keeps at most this many tries; equal ones in a row are one. */
const MOST_TRIES = 40

type Happened = Pick<InstructionRow['tries'][number], 'what' | 'came'>
/** Returns the tries of an instruction with one more. */
export function addTry({ tries }: InstructionRow, { what, came }: Happened, now: number): InstructionRow['tries'] {
  const last = tries.at(-1)
  const at = toIso(now)
  if (last?.what === what && last.came === came)
    return [...tries.slice(0, -1), { at, what, came, times: last.times + 1 }]
  return [...tries, { at, what, came, times: 1 }].slice(-MOST_TRIES)
}

/** Moves an instruction on to a state; throws if it may not become that. */
export function moveOn(
  tx: Tx,
  before: InstructionRow,
  state: State,
  changes: Partial<InstructionRow> = {},
): InstructionRow {
  if (!mayBecome(states, before.state, state)) throw wrongState('terminal_instruction', before.state)
  const isEnd = states[state].length === 0
  return tx.update(terminalInstructions, before.id, { ...changes, state, ...(isEnd && { endedAt: tx.now }) })
}
