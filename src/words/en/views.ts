/** Viewing as a client or a colleague. */
export const views = {} as const
