import { Elysia } from 'elysia'
import { type Packed, pack, sendPacked } from '../../../platform/http/answers/compressed-text.ts'
import { csp } from '../../../platform/http/front/console.ts'
import { notFound } from '../../../platform/problem.ts'
import style from './guide.css' with { type: 'text' }
import type { Facts } from './guide.facts.ts'
import { renderGuidePage } from './guide.html.ts'
import { PAGES } from './guide.pages.ts'

const STYLE = '/docs/guide/style.css'

const made = (type: string, body: string): Promise<Packed> => pack(`${type}; charset=utf-8`, body)

/** Makes a page from the last part of its address: as HTML, or as Markdown with `.md`. */
function makePage(name: string, facts: Facts): Promise<Packed> {
  if (name === 'style.css') return made('text/css', style)
  const page = PAGES.find(({ slug }) => name === slug || name === `${slug}.md`)
  if (!page) throw notFound()
  return name === page.slug
    ? made('text/html', renderGuidePage(page, facts, STYLE))
    : made('text/markdown', page.text(facts))
}

/**
 * The pages beside the explorer. Each is made at its first request from the code that it describes. `getFacts` is
 * called once, when the application is complete.
 */
export function guideRoutes(getFacts: () => Facts) {
  const pages = new Map<string, Promise<Packed>>()
  let facts: Facts | undefined
  const answer = async (request: Request, name: string): Promise<Response> => {
    facts ??= getFacts()
    const page = pages.get(name) ?? makePage(name, facts)
    pages.set(name, page)
    return sendPacked(request, await page, { 'content-security-policy': csp() })
  }
  return new Elysia({ name: 'guide', detail: { hide: true } })
    .get('/docs/guide', () => new Response(null, { status: 302, headers: { location: '/docs/guide/start' } }))
    .get('/docs/guide/:page', ({ request, params }) => answer(request, params.page))
}
