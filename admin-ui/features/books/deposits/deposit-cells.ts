import type { FileRow } from '../../../lib/csv/list-csv.ts'
import { describeAnnouncer, describeSettler, firstApprovalText } from './deposit-words.ts'

type FindName = (id: string) => string

// the API's file has an empty cell for null
export const announcerCell = ({ announcedBy, pspConnectionId, createdAt = '' }: FileRow, findName: FindName): string =>
  describeAnnouncer(
    { announcedBy: announcedBy || null, pspConnectionId: pspConnectionId || null, createdAt },
    (id) => id && findName(id),
  )

export const settlerCell = ({ settledBy, settledAt }: FileRow, findName: FindName): string =>
  describeSettler({ settledBy: settledBy || null, settledAt: settledAt || null }, (id) => id && findName(id)) ?? ''

export const firstApprovalCell = (row: FileRow, findName: FindName): string => {
  const { firstApprovalBy: by, firstApprovalAt: at = '', firstApprovalAmount: settledAmount = '', currency = '' } = row
  const firstWord = by ? { by, at, settledAmount } : null
  return firstApprovalText({ firstWord, currency }, (id) => id && findName(id)) ?? ''
}
