import changelog from '../../../../CHANGELOG.md' with { type: 'text' }
import { errorsPage } from './errors.page.ts'
import { eventsPage } from './events.page.ts'
import type { Facts } from './guide.facts.ts'
import { retriesPage } from './retries.page.ts'
import { startPage } from './start.page.ts'
import { versionsPage } from './versions.page.ts'
import { webhooksPage } from './webhooks.page.ts'

/** A page: its name in the address, its title in the menu, one line about it, and its Markdown. */
export type Page = { slug: string; title: string; about: string; text: (facts: Facts) => string }

/** The pages beside the explorer, in reading order. */
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
