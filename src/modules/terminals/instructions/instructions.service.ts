import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { wrongState } from '../../../platform/problem.ts'
import { type Instruction, toInstruction } from './instructions.model.ts'
import { moveOn } from './instructions.store.ts'
import { terminalInstructions } from './instructions.table.ts'
import { FORGOTTEN } from './passwords.ts'

/** Answers one instruction with each try and each look. */
export const getInstruction = (ctx: Ctx, id: string): Instruction => toInstruction(ctx.db.get(terminalInstructions, id))

/**
 * Takes back an instruction that waits, or says of one that nobody knows about that it was not done. Of money a
 * transfer is acknowledged instead.
 */
export const cancelInstruction = (ctx: Ctx, id: string): Promise<Instruction> =>
  ctx.write('terminals.cancel', (tx) => {
    const before = tx.get(terminalInstructions, id)
    if (before.kind === 'balance') throw wrongState('terminal_instruction', before.state)
    const decided = { ...FORGOTTEN, decidedBy: findStaffId(ctx.principal) }
    return toInstruction(moveOn(tx, before, before.state === 'unresolved' ? 'refused' : 'cancelled', decided))
  })
