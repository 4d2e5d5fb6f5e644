import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { Elysia } from 'elysia'
import type { Config } from '../../../config.ts'
import { DAY, toIso } from '../../clock.ts'
import { type Asset, embedded } from '../../embedded.ts'
import type { Platform } from '../../platform.ts'
import { notFound } from '../../problem.ts'
import { COMMON_HEADERS, sendEncoded } from '../answers/precompressed.ts'

const NONCE_PLACEHOLDER = '__CSP_NONCE__'
/** The pages at /docs, which the console only links to. */
const DOCS_PLACEHOLDER = '__DOCS__'
const CONTACT_DAYS = 180

/** Scripts and styles come from this origin only; `style` adds what a page's library requires. */
export const csp = (style = ''): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${style}`.trim(),
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    // documents are shown from memory, never by their address
    "frame-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** More files than a build has. Only a source tree that is rebuilt again and again comes near. */
const MAX_PLAIN_FILES = 300

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Brokerbase</title>
<body><h1>The console has not been built</h1><p>Run <code>bun run build</code>, then load this page again.</p></body></html>`

/**
 * The console at /admin, the API explorer's page at /docs, and their files. Every path under /admin that is not a file
 * shows the console's own page (deep links). An unknown file is a 404 as problem+json.
 */
export const consoleRoutes = ({ config, clock }: Pick<Platform, 'config' | 'clock'>) =>
  new Elysia({ name: 'console', detail: { hide: true } })
    .get('/', () => redirect('/admin'))
    .get('/.well-known/security.txt', () => securityText(config, clock.now()))
    .get('/admin', () => consolePage(config))
    .get('/admin/assets/*', ({ request, params }) => file(request, embedded().ui[`assets/${params['*']}`]))
    .get('/admin/*', () => consolePage(config))
    .get('/docs', ({ request }) => explorerPage(request))
    .get('/docs/assets/*', ({ request, params }) => file(request, embedded().docs[`assets/${params['*']}`]))

const redirect = (location: string): Response => new Response(null, { status: 302, headers: { location } })

/** The contact for a vulnerability report (RFC 9116); 404 if the operator named none. */
const securityText = ({ securityContact, publicUrl }: Config, now: number): Response => {
  if (securityContact === undefined) throw notFound()
  const lines = [
    `Contact: ${securityContact}`,
    `Expires: ${toIso(now + CONTACT_DAYS * DAY)}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
  ]
  return new Response(`${lines.join('\n')}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

// Mantine writes its variables into <style> elements; the nonce allows exactly those, so 'unsafe-inline' is not needed.
const consolePage = async ({ docs }: Config): Promise<Response> => {
  const path = embedded().ui['index.html']?.bodies.identity
  if (!path) return notBuilt()
  const nonce = randomBytes(16).toString('base64url')
  const html = (await Bun.file(path).text()).replace(NONCE_PLACEHOLDER, nonce).replace(DOCS_PLACEHOLDER, docs)
  return new Response(html, {
    headers: {
      ...COMMON_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      // A stored copy would carry a nonce that no longer matches the header.
      'cache-control': 'no-store',
      'content-security-policy': csp(`'nonce-${nonce}'`),
    },
  })
}

const explorerPage = (request: Request): Response | Promise<Response> => {
  const page = embedded().docs['index.html']
  // The explorer's library adds <style> elements without a nonce.
  return page ? file(request, page, { 'content-security-policy': csp("'unsafe-inline'") }) : notBuilt()
}

const notBuilt = (): Response =>
  new Response(NOT_BUILT, {
    status: 503,
    headers: {
      ...COMMON_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': csp(),
    },
  })

const file = (request: Request, asset: Asset | undefined, extra?: Record<string, string>): Promise<Response> => {
  if (!asset) throw notFound()
  return sendEncoded(
    request,
    asset,
    (encoding) => {
      const stored = asset.bodies[encoding]
      return stored ? Bun.file(stored) : unpacked(asset)
    },
    extra,
  )
}

const unbrotli = promisify(brotliDecompress)
const ungzip = promisify(gunzip)
const plainFiles = new Map<string, Promise<Blob>>()

/**
 * A client that accepts no compression is rare. A file is unpacked for the first one, off the event loop, and kept.
 * Only files of this build are kept, some 6 MB if all of them are requested. Each is stored by its content, so that a
 * rebuild shows.
 */
export const unpacked = ({ etag, bodies: { br, gzip } }: Asset): Promise<Blob> | undefined => {
  const known = plainFiles.get(etag)
  const path = br ?? gzip
  if (known || !path) return known
  const [oldest] = plainFiles.keys()
  if (oldest !== undefined && plainFiles.size >= MAX_PLAIN_FILES) plainFiles.delete(oldest)
  const unpack = br ? unbrotli : ungzip
  const plain = Bun.file(path)
    .bytes()
    .then((bytes) => unpack(bytes))
    // one copy for all clients that are receiving it, however slowly they read
    .then((bytes) => new Blob([new Uint8Array(bytes)]))
  plainFiles.set(etag, plain)
  plain.catch(() => plainFiles.delete(etag))
  return plain
}
