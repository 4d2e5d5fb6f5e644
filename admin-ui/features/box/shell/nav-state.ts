/** Finds the page of the side bar to which a path belongs, by the longest match; null if there is none. */
export const activePage = (pages: readonly string[], path: string): string | null =>
  pages
    .filter((page) => path === page || (page !== '/' && path.startsWith(`${page}/`)))
    .reduce<string | null>((best, page) => (best === null || page.length > best.length ? page : best), null)

/** Returns the closed groups after one of them was pressed. */
export const toggled = (closed: readonly string[], label: string): string[] =>
  closed.includes(label) ? closed.filter((other) => other !== label) : [...closed, label]
