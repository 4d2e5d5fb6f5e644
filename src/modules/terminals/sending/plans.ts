import type { InstructionKind } from '../instructions/instructions.table.ts'
import { changePlan } from './change.ts'
import { moneyPlan } from './money.ts'
import { openPlan } from './open.ts'
import type { Plan } from './plan.ts'

/** Returns how an instruction of a kind is carried out. */
export function findPlan(kind: InstructionKind): Plan {
  if (kind === 'balance') return moneyPlan
  return kind === 'open' ? openPlan : changePlan
}
