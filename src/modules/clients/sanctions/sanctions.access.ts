/** Who reads matches with lists: whoever else learns of one may tell the client, which the law forbids. */
export const READS_HITS = { scope: 'kyc:read', role: 'manager' } as const
