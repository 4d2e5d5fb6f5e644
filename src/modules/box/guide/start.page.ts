import type { Facts } from './guide.facts.ts'
import { block } from './guide.text.ts'

/** Explains what is needed before the first request. */
export const startPage = ({ publicUrl }: Facts): string => `# First call

Everything is under \`/v1\`; the console of this server uses nothing else. Make a key in the console under _API keys_, with the scopes that your program needs, and send it in \`X-API-Key\`:

${block('sh', `curl -s '${publicUrl}/v1/traders?limit=2' -H 'X-API-Key: crm_live_…'`)}

- **A key acts for its maker**: never more than its scopes, never more than that person’s role now. It is shown once, and can be revoked at any time. Deciding about money has scopes of its own.
- **The document** names every operation with its body, its answers and what it may refuse: [in the explorer](/docs), or [as JSON](/docs/json) for generators. The console of this product calls every operation by types that openapi-typescript makes of it.
- **Amounts** are decimal strings with their currency, **times** ISO 8601 in UTC, **ids** opaque.
- **Lists** answer \`{ "data": […], "nextCursor": … }\`: [how to read them to the end](/docs/guide/retries#reading-a-list-to-the-end).
- **Changes** come as [webhooks](/docs/guide/webhooks) or are read from \`GET /v1/events\`: [what each event says](/docs/guide/events).
- **Refusals** are problems with a stable \`code\`: [all of them](/docs/guide/errors).

Every page here is also there as Markdown: add \`.md\` to its address.
`
