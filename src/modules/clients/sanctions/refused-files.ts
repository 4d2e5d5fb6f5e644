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
/** The last refused file of each source with its uploader, since only another person may force it. */
const refused = defineSetting('sanctions_refused', Refused, {})

type File = { source: (typeof LIST_SOURCES)[number]; hash: string }

/**
 * Returns whether a refused file may be forced: by another person than its uploader, or if the firm has nobody else, by
 * the uploader after 72 hours. False for a file that was not refused before. The 409 says who can help.
 */
export function mayForce(ctx: Ctx, { source, hash }: File): boolean {
  const before = readSetting(ctx.db, refused).value[source]
  const userId = findStaffId(ctx.principal)
  if (before?.hash !== hash || userId === null) return false
  requireAnother(ctx.db, readPeople(ctx.db, ctx.now()), userId, [before], ctx.now())
  return true
}

/** Checks a file, and stores who uploaded it if it is refused. */
export async function checkUpload<T>(ctx: Ctx, { source, hash }: File, judge: () => Promise<T>): Promise<T> {
  try {
    return await judge()
  } catch (error) {
    const userId = findStaffId(ctx.principal)
    if (error instanceof Problem && error.status === 422 && userId !== null)
      await ctx.write(
        'sanctions.refuse',
        (tx) => {
          const files = readSetting(tx, refused).value
          // the first uploader stays the person who may not force the file
          if (files[source]?.hash === hash) return
          writeSetting(tx, refused, { ...files, [source]: { hash, userId, createdAt: tx.now } }, undefined)
        },
        { answer: false },
      )
    throw error
  }
}

/** Mails all owners that a refused file is now in use. */
export function tellOfForced(tx: Tx, ctx: Ctx, source: File['source']): void {
  const name = actorName(tx, ctx)
  mailOwners(tx, ctx, () => ({
    subject: say('sanctions.mail.list_forced', { name, source }),
    text: say('sanctions.mail.list_forced_text', { name, publicUrl: ctx.config.publicUrl }),
  }))
}
