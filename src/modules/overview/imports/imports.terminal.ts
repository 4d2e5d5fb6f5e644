import { type Static, Type } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { type CsvLine, mapColumns } from '../../../platform/http/body/csv-reader.ts'
import { invalid } from '../../../platform/problem.ts'
import { Strict } from '../../../platform/wire/fields.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { say } from '../../../words/say.ts'
import { Mask } from '../../terminals/connections/connections.model.ts'
import type { ConnectionRow } from '../../terminals/connections/connections.table.ts'
import { askOwners, getConfirmed, listUnlinked, type Owned, ownerErrors } from '../../terminals/owners/owners.ts'
import type { ImportField } from './imports.fields.ts'
import { type Import, MOST_LINES } from './imports.model.ts'
import { receiveTable, refuseSecond } from './imports.service.ts'

export const TerminalImportIn = nameSchema(
  'TerminalImportIn',
  Strict({
    groups: Type.Optional(
      Type.Array(Mask, {
        minItems: 1,
        maxItems: 200,
        description: 'names of groups, with * for any letters; without them all groups that are read',
      }),
    ),
    dryRun: Type.Boolean({ description: 'only count, and store nothing' }),
  }),
)
type TerminalImportInput = Static<typeof TerminalImportIn>

const counts = {
  logins: Type.Integer({ description: 'without an account here' }),
  clients: Type.Integer({ description: 'different e-mail addresses among them' }),
  withoutEmail: Type.Integer({ description: 'logins that would be refused' }),
}
export const TerminalImportOut = nameSchema(
  'TerminalImportCounts',
  Type.Object({
    ...counts,
    groups: Type.Array(Type.Object({ group: Type.String(), ...counts }), {
      description: 'of each group; who has logins in several is counted in each',
    }),
  }),
)
type Counts = Static<typeof TerminalImportOut>

const count = (logins: readonly Owned[]): Omit<Counts, 'groups'> => {
  const emails = logins.map(({ email }) => email).filter((email) => email !== '')
  return {
    logins: logins.length,
    clients: new Set(emails.map(foldEmail)).size,
    withoutEmail: logins.length - emails.length,
  }
}

/** Returns how many logins and clients would come in, together and of each group. */
const countAll = (logins: readonly Owned[]): Counts => ({
  ...count(logins),
  groups: [...Map.groupBy(logins, ({ groupName }) => groupName)]
    .map(([group, own]) => ({ group, ...count(own) }))
    .toSorted((a, b) => a.group.localeCompare(b.group)),
})

const HEADS = [
  ...(['email', 'name', 'phone', 'country'] as const),
  ...(['server', 'accountNumber', 'currency', 'leverage', 'isDemo'] as const),
] as const satisfies readonly ImportField[]

/** Returns a login as the line that a file would have of it. */
function toCells({ server }: ConnectionRow, login: Owned): string[] {
  const { email, name, phone, country, currency } = login
  const own = { accountNumber: login.login, leverage: String(login.leverage), isDemo: login.accountType }
  const cells = { email, name, phone, country, server, currency, ...own }
  return HEADS.map((head) => cells[head])
}

async function* writeLines(row: ConnectionRow, logins: readonly Owned[]): AsyncGenerator<CsvLine> {
  for (const [index, login] of logins.entries()) yield { cells: toCells(row, login), line: index + 1 }
}

/**
 * Counts the logins of a trading server that have no account here, or makes an import of them that is checked and taken
 * back as that of a file is. Lines with mistakes are left out, since they are mended at the terminal and come with the
 * next import. RULES “Moving in”.
 */
export async function importFromTerminal(
  ctx: Ctx,
  id: string,
  { groups, dryRun }: TerminalImportInput,
): Promise<Counts | Import> {
  const row = getConfirmed(ctx, id)
  if (!dryRun) refuseSecond(ctx)
  const unlinked = listUnlinked(ctx, row, groups)
  if (unlinked.length === 0 && !dryRun) throw ownerErrors.all_linked()
  if (unlinked.length > MOST_LINES)
    throw invalid('groups', 'too_many', say('terminals.field.too_many_logins', { most: MOST_LINES }))
  const logins = unlinked.length === 0 ? [] : await askOwners(ctx, row, unlinked)
  if (dryRun) return countAll(logins)
  const heads = [...HEADS]
  const mapping = Object.fromEntries(HEADS.map((head): [string, ImportField] => [head, head]))
  const about = { fileName: row.name, platform: row.platform, skipErrors: true, terminal: true } as const
  const fields = mapColumns(heads, mapping)
  return receiveTable(ctx, about, { heads, mapping, fields, lines: writeLines(row, logins) })
}
