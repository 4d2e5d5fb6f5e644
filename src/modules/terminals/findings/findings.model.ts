import { Type } from '@sinclair/typebox'
import { wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { BulkResults } from '../../../platform/http/answers/bulk-results.ts'
import { equals } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Id, Prose, Strict, Version } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { terminalFindings } from './findings.table.ts'

export const FindingOut = nameSchema('TerminalFinding', Type.Object(wireFields(terminalFindings)))
export const toFinding = wireMapper(terminalFindings)

export const CloseIn = nameSchema(
  'TerminalFindingsCloseIn',
  Strict(
    {
      ids: Type.Array(Id, { minItems: 1, maxItems: 500, uniqueItems: true }),
      reason: Prose(500),
      transferId: Type.Optional(Id),
    },
    { examples: [{ ids: ['tfi_1'], reason: 'Booked by hand for the summer contest' }] },
  ),
)
export const CloseOut = nameSchema('TerminalFindingsClosed', BulkResults({ version: Type.Optional(Version) }))

export const findingList = defineList({
  name: 'terminal_findings',
  table: terminalFindings,
  filters: {
    state: equals(terminalFindings.state),
    kind: equals(terminalFindings.kind),
    connectionId: equals(terminalFindings.connectionId, Id),
    login: equals(terminalFindings.login, Type.String({ minLength: 1, maxLength: 64 })),
  },
})
