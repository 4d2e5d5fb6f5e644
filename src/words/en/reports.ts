/** Reports and the SQL sandbox. */
export const reports = {} as const
