import { type Answer, call } from '../../../api.ts'

export type Merge = Answer<'traders.merge'>

/** Reads what a merge would move, combine and lose; nothing is changed. */
export const previewMerge = (primaryId: string, secondaryId: string) =>
  call('traders.merge', { body: { primaryId, secondaryId, dryRun: true } })
export const mergeTraders = (primaryId: string, secondaryId: string) =>
  call('traders.merge', { body: { primaryId, secondaryId } })
