import { Alert, Stack, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconSend, IconX } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { ActButton } from '../../../components/page/act-button.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { Facts, RecordPage } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRecord } from '../../../lib/api/use-record.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { useBeside } from '../../../lib/lists/use-beside.ts'
import { usePhone } from '../../../lib/screen/use-phone.ts'
import { groupDigits, groupInSentence } from '../../../lib/text/format.ts'
import { TraderLink } from '../../clients/traders/trader-link.tsx'
import { useStaff } from '../../firm/users/users.api.ts'
import { Approve, Cancel, Pay, Reject } from './decide-withdrawal.tsx'
import { LapseNotice } from './lapse-notice.tsx'
import { Checks, Decisions } from './review-panels.tsx'
import { openFirst } from './review-words.ts'
import { DESTINATION_WORDS, isSoon, PayBefore, WithdrawalStatus } from './withdrawal-columns.tsx'
import { fetchWithdrawal, type WithdrawalRecord } from './withdrawals.api.ts'
import { say, tell } from './words.ts'

const DIALOGS = { approve: Approve, reject: Reject, pay: Pay, cancel: Cancel } as const
type Dialog = keyof typeof DIALOGS

/** Shows everything that a decision about one withdrawal needs on one screen. */
export const WithdrawalPage = () => {
  const { id = '' } = useParams({ strict: false })
  return <OpenWithdrawal id={id} />
}

/** Shows a withdrawal on its page, or beside the list. */
export const OpenWithdrawal = ({ id }: { id: string }) => {
  const withdrawal = useRecord('withdrawals', id, fetchWithdrawal)
  return <Loaded query={withdrawal}>{(data) => <Decision withdrawal={data} />}</Loaded>
}

const Decision = ({ withdrawal }: { withdrawal: WithdrawalRecord }) => {
  const { asked, record, ask, close } = useAsked<Dialog, WithdrawalRecord>(withdrawal)
  const Dialog = asked && DIALOGS[asked]
  // In a single column the checks come first.
  const isNarrow = [usePhone(), useBeside() !== null].includes(true)
  const { amount, currency, review, traderId, traderName } = withdrawal
  const checks = review && <Checks checks={isNarrow ? openFirst(review.checks) : review.checks} />
  const why = withdrawal.status === 'requested' && review && !review.viewer.mayApprove ? review.viewer.why : null
  return (
    <RecordPage
      title={`${groupDigits(amount)} ${currency}`}
      back={{ to: '/withdrawals', label: say('withdrawals.withdrawals') }}
      status={<WithdrawalStatus status={withdrawal.status} lapsedAt={withdrawal.lapsedAt} />}
      subtitle={tell('withdrawals.page.subtitle', {
        client: <TraderLink id={traderId} name={traderName} />,
        when: <When at={withdrawal.createdAt} as="ago" />,
      })}
      actions={<Actions withdrawal={withdrawal} onAsk={ask} />}
    >
      {why && (
        <Alert color="yellow" variant="light" mb="md" title={say('withdrawals.page.barred')}>
          {groupInSentence(why)}
        </Alert>
      )}
      <LapseNotice withdrawal={withdrawal} mb="md" />
      {withdrawal.payBefore && <PayNotice at={withdrawal.payBefore} />}
      <div className="decision">
        <Stack gap="md">
          {isNarrow && checks}
          <MoneyFacts withdrawal={withdrawal} />
          <DestinationFacts destination={withdrawal.destination} />
          <RejectionFacts withdrawal={withdrawal} />
          {review && <Decisions review={review} open={withdrawal.status === 'requested'} />}
        </Stack>
        {!isNarrow && checks}
      </div>
      {Dialog && <Dialog withdrawal={record} onClose={close} />}
    </RecordPage>
  )
}

/** Shows the amount, the client, who requested the withdrawal, and how far it is. */
const MoneyFacts = ({ withdrawal }: { withdrawal: WithdrawalRecord }) => {
  const staff = useStaff()
  const { amount, currency, traderId, traderName, requestedBy, createdAt, approvedAt, payBefore, paidAt } = withdrawal
  return (
    <Section title={say('common.money')}>
      <Facts
        items={[
          [say('common.amount'), <Money key="amount" amount={amount} currency={currency} fw={600} />, { copy: amount }],
          [say('common.client'), <TraderLink key="trader" id={traderId} name={traderName} />],
          [
            say('withdrawals.page.requested_by'),
            requestedBy ? staff.findStaffName(requestedBy, createdAt) : say('withdrawals.client'),
          ],
          [say('withdrawals.page.requested_at'), <When key="created" at={createdAt} />],
          [say('withdrawals.page.approved_at'), approvedAt ? <When key="approved" at={approvedAt} /> : undefined],
          [say('withdrawals.column.pay_before'), payBefore ? <PayBefore key="before" at={payBefore} /> : undefined],
          [say('withdrawals.page.paid_at'), paidAt ? <When key="paid" at={paidAt} /> : undefined],
          [
            say('withdrawals.pay.reference'),
            withdrawal.paymentReference ?? undefined,
            { copy: withdrawal.paymentReference },
          ],
          [say('common.note'), withdrawal.note ?? undefined],
        ]}
      />
    </Section>
  )
}

/** Shows where the money goes; the person who pays copies it from here. */
const DestinationFacts = ({ destination: { kind, reference, holder } }: Pick<WithdrawalRecord, 'destination'>) => {
  const seesAll = useCan()('manager')
  return (
    <Section
      title={say('withdrawals.destination')}
      description={!seesAll && kind !== 'card' && say('withdrawals.destination.hidden')}
    >
      <Facts
        items={[
          [say('common.kind'), DESTINATION_WORDS[kind]],
          [say('common.reference'), <code key="reference">{reference}</code>, seesAll ? { copy: reference } : {}],
          [say('withdrawals.holder'), holder, { copy: holder }],
        ]}
      />
    </Section>
  )
}

const RejectionFacts = ({ withdrawal: { rejectionDetail, rejectionNote } }: { withdrawal: WithdrawalRecord }) =>
  rejectionDetail && (
    <Section title={say('common.rejected')}>
      <Facts
        items={[
          [say('withdrawals.reject.detail'), rejectionDetail],
          [say('common.internal_note'), rejectionNote],
        ]}
      />
    </Section>
  )

/** Warns from the fifth day on that the approval is about to lapse. */
const PayNotice = ({ at }: { at: string }) =>
  isSoon(at) ? (
    <Alert color="yellow" variant="light" mb="md" title={say('withdrawals.unpaid.title')}>
      {tell('withdrawals.unpaid.about', { ago: <When at={at} as="ago" /> })}
    </Alert>
  ) : null

type ActionsProps = { withdrawal: WithdrawalRecord; onAsk: (dialog: Dialog) => void }

const Actions = ({ withdrawal: { status, review }, onAsk }: ActionsProps) => {
  const can = useCan()
  const requested = status === 'requested'
  const manager = can('manager')
  const refused = review?.viewer.mayApprove === false
  return (
    <>
      {requested && manager && (
        <Tooltip label={review?.viewer.why ?? ''} disabled={!refused} multiline maw={280}>
          <ActButton hotkey="a" leftSection={<IconCheck size={16} />} barred={refused} onClick={() => onAsk('approve')}>
            {say('withdrawals.queue.approve')}
          </ActButton>
        </Tooltip>
      )}
      {status === 'approved' && manager && (
        <ActButton hotkey="p" leftSection={<IconSend size={16} />} onClick={() => onAsk('pay')}>
          {say('withdrawals.pay.title')}
        </ActButton>
      )}
      {(requested || status === 'approved') && manager && (
        <ActButton hotkey="r" variant="default" leftSection={<IconX size={16} />} onClick={() => onAsk('reject')}>
          {say('common.reject')}
        </ActButton>
      )}
      <MoreMenu
        label={say('common.more')}
        wide
        actions={[
          requested &&
            can('operator') && {
              label: say('withdrawals.cancel.action'),
              icon: <IconArrowBackUp size={16} />,
              onClick: () => onAsk('cancel'),
            },
        ]}
      />
    </>
  )
}
