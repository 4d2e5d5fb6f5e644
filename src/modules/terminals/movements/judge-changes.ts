import type { Tx } from '../../../platform/db/tx.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import { findDayEnd } from '../days/day-end.ts'
import type { DealChange } from '../deals/deals.store.ts'
import { findEffect } from '../deals/effects.ts'
import { noteFinding } from '../findings/findings.service.ts'
import { terminalFindings } from '../findings/findings.table.ts'
import { terminalLogins } from '../logins/logins.table.ts'

/** What a changed deal may say otherwise without any figure being another one. */
const WORDS: DealChange['fields'] = ['comment', 'flags', 'reason', 'action', 'orderNumber']

/** Returns a value of a deal without zeros at its end, which another build of a terminal may write or leave out. */
const trim = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : value

/**
 * Notes trades of live logins that were changed, cancelled or are gone after their day had ended for the firm, in the
 * write that stores it. What changed of the balance is the amount, also over several changes. RULES “Findings”.
 */
export function judgeChanges(tx: Tx, connection: ConnectionRow, changes: readonly DealChange[]): void {
  if (changes.length === 0) return
  const { at: today } = findDayEnd(tx.now, readFirmSettings(tx).timeZone)
  for (const { before, now, fields } of changes) {
    const at = Math.min(before.at, now.at)
    const figures = fields.filter((field) => !WORDS.includes(field) && trim(before[field]) !== trim(now[field]))
    if (before.kind !== 'trade' || at >= today || at < connection.since || figures.length === 0) continue
    const { login, currency, number: subject, state } = now
    if (tx.find(terminalLogins, { connectionId: connection.id, login })?.accountType !== 'live') continue
    const about = { connectionId: connection.id, kind: 'deal_changed', subject } as const
    const known = tx.find(terminalFindings, { ...about, state: 'open' })?.amount ?? 0n
    const amount = known + findEffect(now).balance - findEffect(before).balance
    noteFinding(tx, about, { login, currency, amount, detail: { state, fields: figures.join(',') } })
  }
}
