import { type Static, Type } from '@sinclair/typebox'

/** A document that has a row but no bytes. */
const Paper = Type.Object({ tenantId: Type.String(), fileId: Type.String() })
export type MissingPaper = Static<typeof Paper>

/** The findings in a copy of the databases: good if `faults` is empty. Missing documents are listed separately. */
export const CheckReport = Type.Object({
  schema: Type.Integer({ description: 'migrations of the copy before it was checked' }),
  bytes: Type.Integer({ description: 'of both databases' }),
  firms: Type.Integer(),
  entries: Type.Integer({ description: 'entries of the ledger, all of them replayed' }),
  auditEntries: Type.Integer({ description: 'links of the audit chains, all of them verified' }),
  papers: Type.Integer({ description: 'attached files that opened with the key' }),
  missing: Type.Array(Paper, { description: 'attached files whose bytes are not there' }),
  faults: Type.Array(Type.String(), { description: 'what is wrong, in words' }),
  doubts: Type.Array(Type.String(), {
    description: 'what nothing proves to be of this installation; faults as well, unless they were accepted',
  }),
})
export type CheckReport = Static<typeof CheckReport>
