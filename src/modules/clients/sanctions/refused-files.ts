import { Type } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { Problem } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { defineSetting, readSetting, writeSetting } from '../../base/settings/settings.service.ts'
import { requireAnother } from '../../firm/independence/blocks.ts'
import { readPeople } from '../../firm/independence/people.ts'
import { actorName, mailOwners } from '../../firm/users/users.notices.ts'
import type { LIST_SOURCES } from './list-sources.ts'

const Refused = Type.Record(
  Type.String(),
  Type.Object({ hash: Type.String(), userId: Type.String(), createdAt: Type.Integer() }),
)
/** The last refused file of each source and who uploaded it, since another person may force it. */
const refused = defineSetting('sanctions_refused', Refused, {})

type File = { source: (typeof LIST_SOURCES)[number]; hash: string }

/**
 * Returns whether a refused file may be forced: by another person than its uploader, or 72 hours later if the firm has
 * no other. A file that was not refused yet is checked as usual. The 409 says who can help.
 */
export function mayForce(ctx: Ctx, { source, hash }: File): boolean {
  const before = readSetting(ctx.db, refused).value[source]
  const userId = findStaffId(ctx.principal)
  if (before?.hash !== hash || userId === null) return false
  requireAnother(ctx.db, readPeople(ctx.db, ctx.now()), userId, [before], ctx.now())
  return true
}

/** Checks a file, and stores its uploader if it is refused. */
export async function judged<T>(ctx: Ctx, { source, hash }: File, judge: () => Promise<T>): Promise<T> {
  try {
    return await judge()
  } catch (error) {
    const userId = findStaffId(ctx.principal)
    if (error instanceof Problem && error.status === 422 && userId !== null)
      await ctx.write(
        'sanctions.refuse',
        (tx) => {
          const files = readSetting(tx, refused).value
          // the first uploader stays the one who may not force it
          if (files[source]?.hash === hash) return
          writeSetting(tx, refused, { ...files, [source]: { hash, userId, createdAt: tx.now } }, undefined)
        },
        { answer: false },
      )
    throw error
  }
}

/** Mails all owners that a refused file is in use now. */
export function tellOfForced(tx: Tx, ctx: Ctx, source: File['source']): void {
  const name = actorName(tx, ctx)
  mailOwners(tx, ctx, () => ({
    subject: say('sanctions.mail.list_forced', { name, source }),
    text: say('sanctions.mail.list_forced_text', { name, publicUrl: ctx.config.publicUrl }),
  }))
}
