import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../testing/chromium.ts'
import { say } from '../words/say.ts'
import type { Dataset } from './dataset.ts'

/** How smoothly a list of the console was drawn during work with it; times in milliseconds. */
type FramesFigure = {
  list: string
  act: string
  frames: number
  /** The number of rows at the end. */
  rows: number
  p99: number
  longest: number
}

/** Collects the time between frames. */
const RECORDER = `(() => {
  let last = performance.now()
  window.frames_ = []
  const frame = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(frame) }
  requestAnimationFrame(frame)
})()`
const BEGIN = 'window.frames_ = []'
const ROWS = 'document.querySelector("table.rows")?.getAttribute("aria-rowcount")'
const READ = 'document.querySelector(".list-foot")?.textContent ?? ""'

/** The wheel turns as fast as by hand: this many pixels at once, at this interval. */
const WHEEL = { pixels: 700, everyMs: 40 }

type Act = { name: string; does: (page: Page) => Promise<void> }

const scroll =
  (seconds: number) =>
  async (page: Page): Promise<void> => {
    await page.locator('.list-scroller').hover()
    const end = performance.now() + seconds * 1000
    while (performance.now() < end) {
      await page.mouse.wheel(0, WHEEL.pixels)
      await page.waitForTimeout(WHEEL.everyMs)
    }
  }
const settled = (page: Page): Promise<unknown> => page.waitForFunction(`${ROWS} || document.querySelector('.empty')`)

const listActs = (filter: string, option: number, seconds: number): Act[] => [
  { name: 'scrolled by wheel, reading on', does: scroll(seconds) },
  {
    name: 'the mark moved by 100 keys',
    does: async (page) => {
      for (let key = 0; key < 100; key += 1) {
        await page.keyboard.press('ArrowDown')
        await page.waitForTimeout(WHEEL.everyMs)
      }
    },
  },
  {
    name: 'searched, letter by letter',
    does: async (page) => {
      const field = page.getByRole('searchbox').first()
      await field.pressSequentially('anna ma', { delay: 120 })
      await page.waitForTimeout(600)
      await field.clear()
      await page.waitForTimeout(600)
    },
  },
  {
    name: `filtered by ${filter.toLowerCase()}`,
    does: async (page) => {
      await page.getByRole('button', { name: say('lists.filter_add') }).click()
      await page.locator('.filter-option', { hasText: filter }).click()
      await page.locator('.mantine-Popover-dropdown :is(input[type=checkbox], input[type=radio])').nth(option).click()
      await page.waitForTimeout(600)
    },
  },
]

/** Lists of at least 100,000 rows, each with a filter and the index of an option that many rows have. */
const LISTS: readonly (readonly [path: string, filter: string, option: number])[] = [
  ['/traders', 'Identity', 0],
  ['/deposits?status=*', 'Currency', 1],
  ['/withdrawals?status=*', 'Currency', 1],
  ['/positions', 'Side', 1],
]

/**
 * Scrolls some of the largest lists in Chromium as a person does, each for some seconds, and reports through `tell` how
 * long the frames took. Does nothing without Chromium.
 */
export async function measureFrames(
  set: Dataset,
  port: number,
  { seconds, lists }: { seconds: number; lists: number },
  tell: (figure: FramesFigure) => void,
): Promise<void> {
  if (!chromiumPath) return
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    // without this, the console's own policy would forbid the script of the test
    const context: BrowserContext = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      bypassCSP: true,
    })
    const base = `http://localhost:${port}`
    await context.addCookies([{ name: 'crm_session', value: set.token, url: base }])
    for (const [list, filter, option] of LISTS.slice(0, lists)) {
      for (const { name, does } of listActs(filter, option, seconds)) {
        const page = await context.newPage()
        await page.goto(`${base}/admin${list}`)
        await settled(page)
        await page.evaluate(RECORDER)
        await page.waitForTimeout(300)
        await page.evaluate(BEGIN)
        await does(page)
        const frames: number[] = await page.evaluate('window.frames_')
        const foot: string = await page.evaluate(READ)
        await page.close()
        const sorted = frames.toSorted((a, b) => a - b)
        tell({
          list,
          act: name,
          frames: frames.length,
          rows: Number(/[\d,]+/.exec(foot)?.[0].replaceAll(',', '') ?? 0),
          p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
          longest: sorted.at(-1) ?? 0,
        })
      }
    }
  } finally {
    await browser.close()
  }
}
