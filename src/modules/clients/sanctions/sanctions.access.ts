/** Only these read matches with lists: others could warn the client, which the law forbids. */
export const READS_HITS = { scope: 'kyc:read', role: 'manager' } as const
