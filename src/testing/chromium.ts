import { existsSync } from 'node:fs'

/** The headless shell comes first, since it opens a page in half of the time. */
const CANDIDATES = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The path of Chromium on this machine; tests that need it are skipped if there is none. */
export const chromiumPath: string | undefined = CANDIDATES.find((path) => existsSync(path))
