import { type Static, Type } from '@sinclair/typebox'
import { wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { equals } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Id, Nullable } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { explainAnswer } from './answer-words.ts'
import { type InstructionRow, terminalInstructions } from './instructions.table.ts'

const Why = Nullable(Type.String({ description: 'the answer in words' }))
export const InstructionOut = nameSchema(
  'TerminalInstruction',
  Type.Object({ ...wireFields(terminalInstructions), why: Why }),
)
export type Instruction = Static<typeof InstructionOut>
const toRow = wireMapper(terminalInstructions)
/** Returns the wire form of an instruction, with the answer of the terminal in words. */
export const toInstruction = (row: InstructionRow): Instruction => ({
  ...toRow(row),
  why: row.answer === null ? null : explainAnswer(row.answer),
})

export const instructionList = defineList({
  name: 'terminal_instructions',
  table: terminalInstructions,
  filters: {
    kind: equals(terminalInstructions.kind),
    state: equals(terminalInstructions.state),
    connectionId: equals(terminalInstructions.connectionId, Id),
    accountId: equals(terminalInstructions.accountId, Id),
    traderId: equals(terminalInstructions.traderId, Id),
    transferId: equals(terminalInstructions.transferId, Id),
  },
})
