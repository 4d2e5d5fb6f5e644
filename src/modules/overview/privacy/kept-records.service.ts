import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { type Query, readPage } from '../../../platform/http/lists/page.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { keptRecordList, toKeptRecord } from '../../clients/kept-records/kept-records.model.ts'
import { keptRecords } from '../../clients/kept-records/kept-records.table.ts'
import { mailOwners } from '../../firm/users/users.notices.ts'
import { users } from '../../firm/users/users.table.ts'
import { openRecord } from './kept-records.seal.ts'
import { sendArchive } from './privacy.archive.ts'
import { privacyErrors } from './privacy.errors.ts'

/** Lists the firm's kept records by number, with reasons and ends, without showing whose records they are. */
export function listKeptRecords(ctx: Ctx, query: Query) {
  const { keepYears } = readFirmSettings(ctx.db)
  return readPage(ctx, keptRecordList, query, (row) => toKeptRecord(row, keepYears))
}

/**
 * Opens a kept record: one archive of `bundle.json` and the documents, made while it is sent. Before the first byte it
 * is audited with the reason, and all owners are mailed. 403 for keys. RULES “Erasure”.
 */
export async function openKeptRecord(ctx: Ctx, id: string, reason: string): Promise<Response> {
  if (ctx.principal.kind !== 'user') throw privacyErrors.not_by_key()
  ctx.db.get(keptRecords, id)
  const note = () =>
    ctx.write(
      'kept_record.open',
      (tx) => {
        tx.get(keptRecords, id)
        tx.audit({ entity: 'kept_record', entityId: id, after: { reason } })
        const { displayName } = tx.get(users, findStaffId(ctx.principal) ?? '')
        const facts = { displayName, id, reason, publicUrl: ctx.config.publicUrl }
        mailOwners(tx, ctx, () => ({
          subject: say('kept-records.mail.opened', facts),
          text: say('kept-records.mail.opened_text', facts),
        }))
      },
      { answer: false },
    )
  return sendArchive(ctx, `kept-record-${id.slice(-8)}`, openRecord(ctx, id), note)
}
