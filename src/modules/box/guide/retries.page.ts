import { IDEMPOTENCY_HOURS } from '../../../platform/http/front/idempotency.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../../platform/http/lists/page.ts'
import { KEPT, PAGE, UPDATES_KEPT } from '../../base/events/events.model.ts'
import type { Facts } from './guide.facts.ts'
import { block, duration, table } from './guide.text.ts'
import client from './snippets/client.mjs' with { type: 'text' }

const TIERS = [
  ['short', 'a second'],
  ['medium', 'a minute'],
  ['long', 'an hour'],
] as const

/** Explains what a client does if an answer is late, is lost, or is a temporary refusal. */
export const retriesPage = ({ rateLimits }: Facts): string => `# Repeating and recovering

What was answered with a 2xx is on disk, and what was refused has changed nothing. What lies between, an answer that never came, is found out by asking again, which the following makes safe. All of it is in the [client below](#all-of-it-as-code), which the tests of this product run.

## Too many requests, and busy

| Status | Why | What to do |
| --- | --- | --- |
| 429 | a limit of requests, bytes, streams or uploads is used up | wait \`Retry-After\` seconds, send the same again |
| 503 | other long work is running, or the change could not be saved; nothing was changed | the same |

Three limits hold at once for each API key, else for the firm, else for the address. On this server, in requests:

${table(
  ['Window', 'Requests', 'Headers of each answer'],
  TIERS.map(([tier, window]) => [
    window,
    rateLimits[tier] === 0 ? 'not limited' : rateLimits[tier],
    `\`X-RateLimit-Limit-${name(tier)}\`, \`-Remaining-${name(tier)}\`, \`-Reset-${name(tier)}\``,
  ]),
)}

\`X-RateLimit-Tracker\` names who is counted. A client of the firm who is signed in has a part of the firm’s. A refused request takes nothing from a limit; still, wait: asking at once again is refused again. Who sends in parallel adds a random part to the wait, else all come back at once.

## An answer that was lost: \`Idempotency-Key\`

Send a key of your own making, 1 to 255 printable characters without spaces, with every POST, and the same key when you repeat it. It is kept for **${IDEMPOTENCY_HOURS} hours** for this caller:

| The second request | Answer |
| --- | --- |
| the same key and the same request, its JSON with its keys in the same order | the first answer, with \`Idempotent-Replayed: true\`; nothing is done again |
| while the first is still running | 409 \`idempotency_in_progress\`: wait a second |
| the same key with another body or another operation | 422, \`errors[0].code\` is \`idempotency_mismatch\` |
| after the first was refused | it is tried afresh: only successes are kept |

PUT, PATCH and DELETE need no key: repeated, they leave things as the first one did. The answer may be another: a DELETE that was done already answers 404 (a revoked API key 204 again), and a PATCH with \`If-Match\` that was done already 412.

## A lost update: \`If-Match\`

Rows have a \`version\`, which answers also carry as \`ETag\`. Send it back as \`If-Match: "3"\` with PATCH and DELETE; if somebody changed the row meanwhile the answer is 412 \`version_conflict\`. Read the row again, look at what changed, and send your change with the new one. \`If-None-Match\` with GET answers 304 while the row is still the same.

## Reading a list to the end

A list answers at most \`limit\` rows (${DEFAULT_LIMIT}, up to ${MAX_LIMIT}) and \`nextCursor\`. Send it as \`cursor\` with the same filters and order until it is \`null\`. A cursor is opaque and good for this list with these filters only. In the order of creation, rows that are added meanwhile move nothing: none is seen twice and none is left out.

Lists whose rows change can be followed: read \`sort=updatedAt&updatedFrom=…\` from the last \`updatedAt\` that you have. Others, such as ledger entries, do not take these parameters; the document says which do.

## Catching up with events

\`GET /v1/events?after=SEQUENCE\` answers the firm’s events in order, up to ${PAGE} at a time, with a \`nextCursor\` that is the next \`after\`, to a key with \`webhooks:read\` and the read scope of each resource. It takes no \`limit\` and no \`cursor\`. Keep the \`sequence\` that you have worked on; after any outage, of your side or of ours, go on from there. Events are kept for ${duration(KEPT)} (\`position.updated\` for ${duration(UPDATES_KEPT)}, and only while somebody asks for it). An \`after\` older than that is 410 \`events_gone\`. Then, in this order:

1. Ask without \`after\` and note \`lastSequence\`.
2. Read the lists anew.
3. Follow the feed from the noted number. Some of it the lists had already; nothing is left out, as it would be with a number noted after them.

Webhooks are repeated by themselves: [when](/docs/guide/webhooks#when-a-delivery-is-repeated).

## All of it as code

${block('js', client)}
`

const name = (tier: string): string => `${tier.charAt(0).toUpperCase()}${tier.slice(1)}`
