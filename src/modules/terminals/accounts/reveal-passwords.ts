import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { BoxCtx } from '../../../platform/access/ctx.ts'
import { lookUp, ofActiveTenant } from '../../../platform/db/directory.ts'
import { listed } from '../../../platform/db/statement.ts'
import { sha256Hex } from '../../../platform/secrets.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { authErrors } from '../../firm/auth/auth.errors.ts'
import { createPersonCtx } from '../../firm/auth/auth.lookup.ts'
import { terminalConnections } from '../connections/connections.table.ts'
import { terminalInstructions } from '../instructions/instructions.table.ts'
import { forgetPasswords, openPassword } from '../instructions/passwords.ts'
import type { RevealIn, RevealOut } from './terminal-orders.model.ts'

const LINK = lookUp<{ tenantId: string; id: string; traderId: string }>(
  sql`SELECT ${listed({
    tenantId: terminalInstructions.tenantId,
    id: terminalInstructions.id,
    traderId: terminalInstructions.traderId,
  })}
  FROM ${terminalInstructions} ${ofActiveTenant(terminalInstructions.tenantId)}
  WHERE ${terminalInstructions.linkHash} = ?`,
)

/**
 * Answers the passwords behind a mailed link, once, and forgets them. A wrong, used or lapsed link, and that of a
 * client who is not active, have the same answer.
 */
export async function revealPasswords(
  ctx: BoxCtx,
  { token }: Static<typeof RevealIn>,
): Promise<Static<typeof RevealOut>> {
  const linkHash = sha256Hex(token)
  const found = ctx.directory.find(LINK, linkHash)
  if (!found) throw authErrors.link_invalid()
  const { tenantId, id, traderId } = found
  const person = createPersonCtx(ctx, { tenantId, userId: null, traderId })
  // a stored answer would keep what is forgotten here
  const revealed = await person.write(
    'terminals.reveal_passwords',
    (tx) => {
      const row = tx.unowned.find(terminalInstructions, { id, linkHash })
      if (row === undefined || tx.unowned.find(traders, { id: row.traderId })?.status !== 'active') return null
      const connection = tx.unowned.get(terminalConnections, row.connectionId, { withDeleted: true })
      const main = openPassword(person, row, 'main')
      const investor = openPassword(person, row, 'investor')
      forgetPasswords(tx, row)
      if (row.linkUntil === null || row.linkUntil <= tx.now) return null
      return { server: connection.server, login: row.login ?? '', main, investor }
    },
    { answer: false },
  )
  if (revealed === null) throw authErrors.link_invalid()
  return revealed
}
