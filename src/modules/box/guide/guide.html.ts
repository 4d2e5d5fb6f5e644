import { build } from '../../../platform/embedded.ts'
import type { Facts } from './guide.facts.ts'
import type { Page } from './guide.pages.ts'
import { PAGES } from './guide.pages.ts'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter)

/** Returns our Markdown as HTML: headings have ids; wide code and tables scroll in place, also with the keyboard. */
const render = (markdown: string): string =>
  Bun.markdown
    .html(markdown, { headings: { ids: true }, noHtmlBlocks: true, noHtmlSpans: true })
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')

const SECTION = /<h2 id="([^"]+)">(.*?)<\/h2>/g

function contents(html: string): string {
  const sections = [...html.matchAll(SECTION)].map(([, id, title]) => `<li><a href="#${id}">${title}</a></li>`)
  return sections.length < 3
    ? ''
    : `<nav class="contents" aria-label="On this page"><strong>On this page</strong><ul>${sections.join('')}</ul></nav>`
}

const menu = (current: string): string =>
  PAGES.map(
    ({ slug, title }) =>
      `<li><a href="/docs/guide/${slug}"${slug === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`,
  ).join('')

/** Returns a whole page without scripts, for any browser, in its light or dark scheme. */
export function renderGuidePage(page: Page, facts: Facts, style: string): string {
  const html = render(page.text(facts))
  // the table of contents comes below the title
  const [head = '', ...rest] = html.split('</h1>')
  const body = rest.length === 0 ? html : `${head}</h1>${contents(html)}${rest.join('</h1>')}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(page.about)}">
<title>${escapeHtml(page.title)} · Brokerbase API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<a class="home" href="/docs/guide/start">Brokerbase API</a>
<nav aria-label="Guide"><ul>${menu(page.slug)}<li><a href="/docs">Explorer</a></li></ul></nav>
</header>
<main id="content">
${body}</main>
<footer><a href="/docs/guide/${page.slug}.md">This page as Markdown</a> · <a href="/docs/json">OpenAPI document</a> · version ${escapeHtml(build().version)}</footer>
</body>
</html>
`
}
