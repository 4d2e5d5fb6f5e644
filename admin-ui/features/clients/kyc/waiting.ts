import type { Submission } from './kyc.api.ts'

/** Returns whether a submission waits for a decision; a decided one does not, even if newer documents came. */
export const isWaiting = ({ status }: Pick<Submission, 'status'>): boolean => status === 'requested'
