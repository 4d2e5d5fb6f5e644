import changelog from '../../../CHANGELOG.md' with { type: 'text' }
import type { RateLimits } from '../../platform/http/rate-limit.ts'
import { errorsPage } from './errors.page.ts'
import { eventsPage } from './events.page.ts'
import { retriesPage } from './retries.page.ts'
import { startPage } from './start.page.ts'
import { versionsPage } from './versions.page.ts'
import { webhooksPage } from './webhooks.page.ts'

/** What the pages say of the server that serves them. */
export type Facts = {
  publicUrl: string
  rateLimits: RateLimits
  /** Statuses that each operation documents, by its id. */
  operations: ReadonlyMap<string, readonly number[]>
}

/** A page: its name in the address, what the navigation calls it, one line on it, and its Markdown. */
export type Page = { slug: string; title: string; about: string; text: (facts: Facts) => string }

/** The pages beside the explorer, in the order in which they are read. */
export const PAGES: readonly Page[] = [
  { slug: 'start', title: 'First call', about: 'A key, a request, and where things are.', text: startPage },
  { slug: 'errors', title: 'Errors', about: 'Every code, what it means and what to do.', text: errorsPage },
  {
    slug: 'retries',
    title: 'Retries',
    about: 'Limits, lost answers, lost updates, lists read to the end.',
    text: retriesPage,
  },
  {
    slug: 'webhooks',
    title: 'Webhooks',
    about: 'Code that checks signatures, in three languages; when deliveries are repeated.',
    text: webhooksPage,
  },
  { slug: 'events', title: 'Events', about: 'A sample of each, as it is sent.', text: eventsPage },
  { slug: 'versions', title: 'Versions', about: 'What may change, and what will not.', text: versionsPage },
  { slug: 'changelog', title: 'Changes', about: 'What each version brought.', text: () => changelog },
]
