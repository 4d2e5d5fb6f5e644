import { say } from '../../../words/say.ts'
import { type IdempotencyClaim, idempotencyContext } from '../../access/ctx-writes.ts'
import type { Principal } from '../../access/principal.ts'
import type { Platform } from '../../platform.ts'
import { invalid, Problem } from '../../problem.ts'
import { sha256Hex } from '../../secrets.ts'
import { exactJson } from '../body/exact-numbers.ts'

export const IDEMPOTENCY_HOURS = 24

type Stored = { route: string; bodyHash: string; status: number; response: Uint8Array }
const FIND = `SELECT route, body_hash AS bodyHash, status, response FROM idempotency WHERE tenant_id = ? AND principal = ? AND key = ?`

/** Returns the ETag of the first answer. */
function readEtag(body: string): Record<string, string> {
  const answer: unknown = JSON.parse(body)
  if (typeof answer !== 'object' || answer === null || !('version' in answer)) return {}
  return { etag: `"${answer.version}"` }
}

/** Either the answer of the first request, or a claim that this request's write must carry. */
type Idempotency = { replay: Response } | { claim: IdempotencyClaim; release: () => void }

const principalKey = (principal: Principal): string =>
  principal.kind === 'anonymous' ? 'anonymous' : `${principal.kind}:${principal.id}`

/**
 * The `Idempotency-Key` protocol: same key and request → the first answer; another body → 422; still running → 409.
 * src/README “HTTP contract”.
 */
export function createIdempotency(platform: Platform) {
  const running = new Set<string>()
  return (
    facts: { tenantId: string; principal: Principal; key: string; route: string; body: unknown },
    status: () => number,
  ): Idempotency => {
    if (!/^[\x21-\x7e]{1,255}$/.test(facts.key)) {
      throw invalid('header.idempotency-key', 'format', say('problems.field.idempotency_key_format'))
    }
    const principal = principalKey(facts.principal)
    const slot = `${facts.tenantId}\n${principal}\n${facts.key}`
    if (running.has(slot))
      throw new Problem(409, 'idempotency_in_progress', say('problems.error.idempotency_in_progress'))
    const firm = platform.secrets.forFirm(facts.tenantId)
    // Keyed, since a body may contain a password, whose plain hash could be guessed from a stolen database.
    const text = exactJson(facts.body ?? null)
    const bodyHash = firm.sign('idempotency', text)
    const stored = platform.reader.get<Stored>(FIND, [facts.tenantId, principal, facts.key])
    if (stored) {
      // Answers that the previous version stored have a plain hash, until they expire after 24 hours.
      const same = stored.bodyHash === bodyHash || stored.bodyHash === sha256Hex(text)
      if (stored.route !== facts.route || !same) {
        throw invalid('header.idempotency-key', 'idempotency_mismatch', say('problems.field.idempotency_mismatch'))
      }
      platform.writer.demandOwed()
      const body = firm.openText(stored.response, idempotencyContext(facts.tenantId, { principal, key: facts.key }))
      return {
        replay: new Response(stored.status === 204 ? null : body, {
          status: stored.status,
          headers: { 'content-type': 'application/json', 'idempotent-replayed': 'true', ...readEtag(body) },
        }),
      }
    }
    running.add(slot)
    return {
      release: () => void running.delete(slot),
      claim: {
        principal,
        key: facts.key,
        route: facts.route,
        bodyHash,
        get status() {
          return status()
        },
      },
    }
  }
}
