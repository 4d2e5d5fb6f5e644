import { Alert, type AlertProps } from '@mantine/core'
import { When } from '../../../components/show/moment.tsx'
import { mayHaveBeenSent } from './review-words.ts'
import type { Withdrawal } from './withdrawals.api.ts'
import { say, tell } from './words.ts'

type LapseNoticeProps = { withdrawal: Pick<Withdrawal, 'status' | 'lapsedAt'> } & Pick<AlertProps, 'mb'>

/** Warns that money may have been sent under an approval that lapsed, until the withdrawal is paid or closed. */
export const LapseNotice = ({ withdrawal, ...props }: LapseNoticeProps) =>
  mayHaveBeenSent(withdrawal) ? (
    <Alert
      color="red"
      variant="light"
      {...props}
      title={
        withdrawal.status === 'approved' ? say('withdrawals.lapse.title_approved') : say('withdrawals.lapse.title')
      }
    >
      {tell('withdrawals.lapse.about', {
        when: <When at={withdrawal.lapsedAt} />,
        status: String(withdrawal.status === 'approved'),
      })}
    </Alert>
  ) : null
