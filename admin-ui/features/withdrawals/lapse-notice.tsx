import { Alert, type AlertProps } from '@mantine/core'
import { When } from '../../components/when.tsx'
import { mayBeSent } from './review-words.ts'
import type { Withdrawal } from './withdrawals.api.ts'

type LapseNoticeProps = { withdrawal: Pick<Withdrawal, 'status' | 'lapsedAt'> } & Pick<AlertProps, 'mb'>

/** Says, until it is paid or taken back, that the money may have left under an approval that lapsed. */
export const LapseNotice = ({ withdrawal, ...props }: LapseNoticeProps) =>
  mayBeSent(withdrawal) ? (
    <Alert
      color="red"
      variant="light"
      {...props}
      title={
        withdrawal.status === 'approved' ? 'Approved again after a lapse' : 'Its approval lapsed before it was paid'
      }
    >
      It went back on <When at={withdrawal.lapsedAt} />.{' '}
      {withdrawal.status === 'approved'
        ? 'It may have been sent already: look first. If it was, do not send it again, and use the reference of that payment.'
        : 'Find out whether the money left. If it did, approve it again and pay it with the reference of that payment; if it did not, it can also be rejected or cancelled.'}
    </Alert>
  ) : null
