/** The page of the side bar that a path belongs to: the longest that leads to it; null where none does. */
export const activePage = (pages: readonly string[], path: string): string | null =>
  pages
    .filter((page) => path === page || (page !== '/' && path.startsWith(`${page}/`)))
    .reduce<string | null>((best, page) => (best === null || page.length > best.length ? page : best), null)

/** The closed groups after one of them was pressed. */
export const toggled = (closed: readonly string[], label: string): string[] =>
  closed.includes(label) ? closed.filter((other) => other !== label) : [...closed, label]
