import { existsSync } from 'node:fs'

/** The shell without windows comes first: it opens a page for half of the work. */
const CANDIDATES = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Chromium of this machine; what needs it is skipped where there is none. */
export const chromiumPath: string | undefined = CANDIDATES.find((path) => existsSync(path))
