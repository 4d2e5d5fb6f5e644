/** Merging two clients, changing many at once, and the privacy bundle. */
export const merges = {} as const
