/** Ad platforms and their leads. */
export const ads = {} as const
