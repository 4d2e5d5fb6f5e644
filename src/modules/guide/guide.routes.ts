import { Elysia } from 'elysia'
import { COMMON_HEADERS, csp, matches } from '../../platform/http/console.ts'
import { notFound } from '../../platform/http/problem.ts'
import { sha256Hex } from '../../platform/secrets.ts'
import style from './guide.css' with { type: 'text' }
import { htmlOf } from './guide.html.ts'
import { type Facts, PAGES } from './guide.pages.ts'

type Made = { type: string; body: string; etag: string }

const STYLE = '/docs/guide/style.css'

const made = (type: string, body: string): Made => ({
  type: `${type}; charset=utf-8`,
  body,
  etag: `"${sha256Hex(body).slice(0, 16)}"`,
})

/** A page by the last part of its address, as HTML or, with `.md`, as Markdown. */
function makePage(name: string, facts: Facts): Made {
  if (name === 'style.css') return made('text/css', style)
  const page = PAGES.find(({ slug }) => name === slug || name === `${slug}.md`)
  if (!page) throw notFound()
  return name === page.slug ? made('text/html', htmlOf(page, facts, STYLE)) : made('text/markdown', page.text(facts))
}

/**
 * The pages beside the explorer, made of the code that they describe, each at its first reader. `factsOf` is asked
 * once, when the application is whole.
 */
export function guideRoutes(factsOf: () => Facts) {
  const pages = new Map<string, Made>()
  let facts: Facts | undefined
  const answer = (request: Request, name: string): Response => {
    facts ??= factsOf()
    const page = pages.get(name) ?? makePage(name, facts)
    pages.set(name, page)
    const headers = {
      ...COMMON_HEADERS,
      'content-security-policy': csp(),
      'cache-control': 'no-cache',
      etag: page.etag,
    }
    if (matches(request.headers.get('if-none-match'), page.etag)) return new Response(null, { status: 304, headers })
    return new Response(page.body, { headers: { ...headers, 'content-type': page.type } })
  }
  return new Elysia({ name: 'guide', detail: { hide: true } })
    .get('/docs/guide', () => new Response(null, { status: 302, headers: { location: '/docs/guide/start' } }))
    .get('/docs/guide/:page', ({ request, params }) => answer(request, params.page))
}
