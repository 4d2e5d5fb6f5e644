/** Only these may read matches with lists: a larger circle could warn the client, which the law forbids. */
export const READS_HITS = { scope: 'kyc:read', role: 'manager' } as const
