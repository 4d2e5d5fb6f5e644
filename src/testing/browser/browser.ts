import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type Running, startServer } from '../../commands/serve.ts'
import { loadConfig } from '../../config.ts'
import type { Clock } from '../../platform/clock.ts'
import { DAY } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Answer, Caller, TestApp } from '../app.ts'
import { chromiumPath } from '../chromium.ts'
import { NO_LIMITS } from '../executable.ts'

const ROOT = join(import.meta.dir, '../../..')

export { chromiumPath }

if (!chromiumPath)
  process.stdout.write('No Chromium here: the tests of the console are skipped (apt-get install chromium).\n')

type OpenOptions = {
  width?: number
  dark?: boolean
  /** The language of the browser, such as `de-DE`. */
  locale?: string
  /** The user to sign in: by password, or by the session of a test's caller. */
  as?: { email: string; password: string } | Caller
}

/** Finds a button by its whole name. */
export const button = (page: Pick<Page, 'getByRole'>, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

/** Waits until a page has drawn twice, so that what a test did before is on the screen. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')

export type Console = {
  running: Running
  base: string
  browser: Browser
  /** A context whose console errors and foreign requests are collected in `complaints`. */
  open(options?: OpenOptions): Promise<{ context: BrowserContext; page: Page }>
  /** Opens a page of the console, and closes it when `act` is done. */
  visit<T>(path: string, options: OpenOptions, act: (page: Page) => Promise<T>): Promise<T>
  complaints: string[]
  /** Sends a request to the running server. */
  call: TestApp['call']
  /** Sends a request for the preparation of a test, and returns the answer's body; throws if it was refused. */
  ask(method: string, path: string, as: Caller, body?: object): Promise<Answer['body']>
  /** Goes from an open page to another one as a link does, which takes a third of the time that opening it takes. */
  go(page: Page, path: string): Promise<void>
  /** Waits until a page loads nothing more. */
  loaded(page: Page): Promise<void>
  /** Returns the parts that are wider than the window. */
  tooWide(page: Page): Promise<string[]>
  /** Returns what axe finds, serious faults unless `any` is given, and the parts that are wider than the window. */
  faults(page: Page, least?: 'serious' | 'any'): Promise<string[]>
  /**
   * Returns the faults in the light scheme, and in the dark one too if `schemes` has it: the page follows the system's
   * setting. A push checks one scheme, `bun run dialogs` both.
   */
  faultsByScheme(page: Page, schemes?: readonly Scheme[]): Promise<string[]>
  close(): Promise<void>
}

const AXE = `axe.run(document, { resultTypes: ['violations'], elementRef: false, preload: false, runOnly: RULES }).then(({ violations }) => violations
  .filter(({ impact }) => LEAST === 'any' || impact === 'serious' || impact === 'critical')
  .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 160))))`
/** These rules are about colours, so a page may fail them in one scheme alone. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']
type Scheme = 'dark' | 'light'
export const BOTH_SCHEMES: readonly Scheme[] = ['dark', 'light']
/** Finds a dialog or drawer that is cut off at the window's edge, even if the page below fits. */
const TOO_WIDE = `[document.documentElement, ...document.querySelectorAll('[role=dialog]')]
  .map((part) => [part, Math.max(part.scrollWidth - part.clientWidth, part.getBoundingClientRect().right - innerWidth)])
  .filter(([, pixels]) => pixels > 1)
  .map(([part, pixels]) => part.tagName.toLowerCase() + ' is ' + Math.round(pixels) + ' px too wide')`

let launched: Promise<Browser> | undefined
/** Starts the one browser of this process, which ends with the process. */
const launch = (): Promise<Browser> => {
  launched ??= chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  return launched
}

/**
 * Starts the real server from source with the built console (built here if it is missing) and a headless browser;
 * `prepare` fills the database before any job runs.
 */
export async function startConsole(
  clock?: Clock,
  settings: Readonly<Record<string, string>> = {},
  prepare?: (platform: Platform) => Promise<void>,
): Promise<Console> {
  if (!existsSync(join(ROOT, 'dist/assets/manifest.json'))) {
    const built = Bun.spawnSync([process.execPath, 'build.ts', '--console-only'], { cwd: ROOT })
    if (built.exitCode !== 0) throw new Error(`the console could not be built: ${built.stderr}`)
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-browser-'))
  const env = {
    ...NO_LIMITS,
    BROKERBASE_ALLOWED_NETWORKS: '127.0.0.0/8',
    BROKERBASE_LOG_LEVEL: 'error',
    ...settings,
  }
  const running = await startServer(loadConfig({ 'data-dir': dataDir, port: '0' }, { env }), prepare, clock)
  const browser = await launch()
  const contexts: BrowserContext[] = []
  const complaints: string[] = []
  const axe = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')
  const base = running.url
  const call: Console['call'] = async (method, path, { as, body, raw, headers = {} } = {}) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = body === undefined ? raw : JSON.stringify(body)
    const answer = await fetch(new URL(path, base), {
      method,
      headers: { ...json, ...as?.headers, ...headers, origin: base },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') && text !== ''
    return { status: answer.status, body: isJson ? JSON.parse(text) : null, headers: answer.headers, text }
  }
  const open: Console['open'] = async ({ width = 1440, dark = false, locale, as } = {}) => {
    // the test puts axe into the page, which the console's own policy rightly forbids
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: dark ? 'dark' : 'light',
      bypassCSP: true,
      ...(locale && { locale }),
    })
    contexts.push(context)
    if (as && 'email' in as)
      await context.request.post(`${base}/v1/auth/login`, { data: as, headers: { origin: base } })
    else if (as) {
      const [name = '', value = ''] = (as.headers.cookie ?? '').split('=')
      await context.addCookies([{ name, value, url: base }])
    }
    const page = await context.newPage()
    // on a busy machine the server's children get processor time last, and a page may wait for one
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error}`))
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(base) && !url.startsWith('data:') && !url.startsWith('blob:'))
        complaints.push(`${page.url()} asked ${url}`)
    })
    return { context, page }
  }
  const loaded = async (page: Page): Promise<void> => {
    await page.waitForFunction("!document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root')")
  }
  const look = async (page: Page, least: string, rules: readonly string[] | undefined): Promise<string[]> => {
    if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
    const script = AXE.replace('LEAST', `'${least}'`).replace('RULES', String(JSON.stringify(rules)))
    return page.evaluate(script)
  }
  const tooWide: Console['tooWide'] = (page) => page.evaluate(TOO_WIDE)
  const faults: Console['faults'] = async (page, least = 'serious') => {
    const problems = await look(page, least, undefined)
    return [...problems, ...(await tooWide(page))]
  }
  return {
    running,
    base,
    browser,
    complaints,
    call,
    ask: async (method, path, as, body) => {
      const answer = await call(method, path, { as, ...(body && { body }) })
      if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
      return answer.body
    },
    open,
    visit: async (path, options, act) => {
      const { context, page } = await open(options)
      try {
        await page.goto(`${base}/admin${path}`)
        return await act(page)
      } finally {
        await context.close()
      }
    },
    loaded,
    go: async (page, path) => {
      await page.evaluate(`__TSR_ROUTER__.navigate({ href: '${path}' })`)
      await drawn(page)
      await loaded(page)
    },
    tooWide,
    faults,
    faultsByScheme: async (page, schemes = ['light']) => {
      const found: string[] = []
      // during a transition a colour has too little contrast for a moment
      await page.addStyleTag({ content: '*, *::before, *::after { transition: none !important }' })
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme })
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
        const seen = colorScheme === 'dark' ? look(page, 'serious', OF_COLOURS) : faults(page)
        found.push(...(await seen).map((fault) => `${colorScheme}: ${fault}`))
      }
      return found
    },
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()))
      await running.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Makes an account a week older, since only an old account may see the key and the copies of the installation. */
export const ageAccount = async ({ running: { platform } }: Console, userId: string): Promise<void> => {
  const made = platform.clock.now() - 8 * DAY
  await platform.writer.submit(() =>
    platform.connection.run('UPDATE users SET created_at = ? WHERE id = ?', [made, userId]),
  )
}
