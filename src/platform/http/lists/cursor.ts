import { say } from '../../../words/say.ts'
import { invalid } from '../../problem.ts'
import type { SecretBox } from '../../secrets.ts'
import type { SqlValue } from '../../sqlite.ts'

const SIGNATURE = 22

/** Encodes `value` and `id` of the last row, bound by a signature to the tenant, the list, its filters and its sort. */
export function encodeCursor(secrets: SecretBox, bound: string, value: SqlValue, id: string): string {
  const payload = Buffer.from(JSON.stringify([value, id])).toString('base64url')
  return `${payload}.${secrets.sign('cursor', `${payload}\n${bound}`).slice(0, SIGNATURE)}`
}

/** Returns what `encodeCursor` was given; throws the 422 if the cursor is invalid or belongs to another list. */
export function decodeCursor(secrets: SecretBox, bound: string, cursor: string): [SqlValue, string] {
  const [payload = '', signature = ''] = cursor.split('.')
  if (secrets.sign('cursor', `${payload}\n${bound}`).slice(0, SIGNATURE) !== signature) {
    throw invalid('query.cursor', 'cursor', say('problems.field.cursor_of_other_list'))
  }
  const parsed: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
  if (!Array.isArray(parsed)) throw invalid('query.cursor', 'cursor', say('problems.field.cursor'))
  const [value, id] = parsed
  return [value, String(id)]
}
