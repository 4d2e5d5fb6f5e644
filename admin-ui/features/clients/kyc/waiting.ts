import type { Submission } from './kyc.api.ts'

/**
 * Whether a submission may be decided. One that was decided stays so; its client may have handed in newer papers since.
 */
export const isWaiting = ({ status }: Pick<Submission, 'status'>): boolean => status === 'requested'
