import type { Page, Request } from 'playwright-core'

/** A figure of a page: its text, how many rows it counts, and the list that it opens. */
type Figure = { text: string; rows: number; href: string }

const FIGURES = `[...document.querySelectorAll('a[data-rows]')].map((link) => ({
  text: link.getAttribute('aria-label') ?? link.textContent, rows: Number(link.dataset.rows), href: link.getAttribute('href') }))`

/** Returns the figures of an open page that count rows, without those of nothing, and each list once. */
async function listFigures(page: Page): Promise<Figure[]> {
  const found = (await page.evaluate(FIGURES)) as Figure[]
  const some = found.filter(({ rows }) => rows > 0)
  return [...new Map(some.map((figure) => [`${figure.href} ${figure.rows}`, figure])).values()]
}

const isList = (request: Request): boolean =>
  /^\/v1\/[a-z/]+$/.test(new URL(request.url()).pathname) && new URL(request.url()).searchParams.get('limit') === '50'

/**
 * Follows a figure as its reader does, and returns how many rows the list that opens has in all: the console's own
 * request is repeated with a count.
 */
async function countRows(page: Page, { href }: Figure): Promise<number> {
  const [asked] = await Promise.all([page.waitForRequest(isList), page.goto(new URL(href, page.url()).href)])
  const url = new URL(asked.url())
  url.searchParams.set('limit', '1')
  url.searchParams.set('count', 'true')
  const answer = await page.request.get(url.href)
  const { total } = (await answer.json()) as { total: number }
  return total
}

/** Returns the figures of a page whose list has another number of rows. */
export async function findWrongFigures(page: Page): Promise<string[]> {
  const wrong: string[] = []
  for (const figure of await listFigures(page)) {
    const total = await countRows(page, figure)
    if (total !== figure.rows) wrong.push(`${figure.text}: ${figure.rows}, and ${figure.href} has ${total}`)
  }
  return wrong
}
