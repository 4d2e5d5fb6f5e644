import { existsSync } from 'node:fs'

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Chromium of this machine; what needs it is skipped where there is none. */
export const chromiumPath: string | undefined = CANDIDATES.find((path) => existsSync(path))
