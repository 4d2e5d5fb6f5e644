/** The frame of every page: side bar, header, and pages that are not there. */
export const shell = {
  'shell.nav.waiting': ' waiting',
  'shell.search': 'Search',
  'shell.menu.open': 'Open menu',
  'shell.menu.close': 'Close menu',
  'shell.back': 'Go back',
  'shell.dashboard': 'Go to the dashboard',
  'shell.missing.title': 'There is no such page',
  'shell.missing.about': 'The address may be mistyped, or what it showed has been removed.',
  'shell.again': 'Try again',
  'shell.error.offline': 'The server cannot be reached. Look at your connection and try again.',
} as const
