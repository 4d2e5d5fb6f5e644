import { Alert, Button, Stack, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconSend, IconX } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Facts, RecordPage } from '../../components/record-page.tsx'
import { Section } from '../../components/section.tsx'
import { When } from '../../components/when.tsx'
import { formatAgo, groupDigits, groupInSentence, humanize } from '../../lib/format.ts'
import { useCan } from '../../lib/session.ts'
import { useAsked } from '../../lib/use-asked.ts'
import { useRecord } from '../../lib/use-record.ts'
import { TraderLink } from '../traders/trader-link.tsx'
import { useStaff } from '../users/users.api.ts'
import { Approve, Cancel, Pay, Reject } from './decide-withdrawal.tsx'
import { LapseNotice } from './lapse-notice.tsx'
import { Checks, Decisions } from './review-panels.tsx'
import { isSoon, PayBefore, WithdrawalStatus } from './withdrawal-columns.tsx'
import { fetchWithdrawal, type WithdrawalRecord } from './withdrawals.api.ts'

const DIALOGS = { approve: Approve, reject: Reject, pay: Pay, cancel: Cancel } as const
type Dialog = keyof typeof DIALOGS

/** One withdrawal: everything that a decision needs, on one screen. */
export const WithdrawalPage = () => {
  const { id = '' } = useParams({ strict: false })
  const withdrawal = useRecord('withdrawals', id, fetchWithdrawal)
  return <Loaded query={withdrawal}>{(data) => <Decision withdrawal={data} />}</Loaded>
}

const Decision = ({ withdrawal }: { withdrawal: WithdrawalRecord }) => {
  const { asked, record, ask, close } = useAsked<Dialog, WithdrawalRecord>(withdrawal)
  const Dialog = asked && DIALOGS[asked]
  const { amount, currency, review, traderId, traderName } = withdrawal
  const why = withdrawal.status === 'requested' && review && !review.viewer.mayApprove ? review.viewer.why : null
  return (
    <RecordPage
      title={`${groupDigits(amount)} ${currency}`}
      back={{ to: '/withdrawals', label: 'Withdrawals' }}
      status={<WithdrawalStatus status={withdrawal.status} lapsedAt={withdrawal.lapsedAt} />}
      subtitle={
        <>
          To <TraderLink id={traderId} name={traderName} />, asked for <When at={withdrawal.createdAt} as="ago" />
        </>
      }
      actions={<Actions withdrawal={withdrawal} onAsk={ask} />}
    >
      {why && (
        <Alert color="yellow" variant="light" mb="md" title="You cannot approve this withdrawal">
          {groupInSentence(why)}
        </Alert>
      )}
      <LapseNotice withdrawal={withdrawal} mb="md" />
      {withdrawal.payBefore && <PayNotice at={withdrawal.payBefore} />}
      <div className="decision">
        <Stack gap="md">
          <MoneyFacts withdrawal={withdrawal} />
          <DestinationFacts destination={withdrawal.destination} />
          <RejectionFacts withdrawal={withdrawal} />
        </Stack>
        {review && (
          <Stack gap="md">
            <Checks checks={review.checks} />
            <Decisions review={review} open={withdrawal.status === 'requested'} />
          </Stack>
        )}
      </div>
      {Dialog && <Dialog withdrawal={record} onClose={close} />}
    </RecordPage>
  )
}

/** How much, for whom, who asked, and how far it is. */
const MoneyFacts = ({ withdrawal }: { withdrawal: WithdrawalRecord }) => {
  const staff = useStaff()
  const { amount, currency, traderId, traderName, requestedBy, createdAt, approvedAt, payBefore, paidAt } = withdrawal
  return (
    <Section title="Money">
      <Facts
        items={[
          ['Amount', <Money key="amount" amount={amount} currency={currency} fw={600} />, { copy: amount }],
          ['Client', <TraderLink key="trader" id={traderId} name={traderName} />],
          ['Asked for by', requestedBy ? staff.nameOf(requestedBy) : 'The client'],
          ['Asked for at', <When key="created" at={createdAt} />],
          ['Approved at', approvedAt ? <When key="approved" at={approvedAt} /> : undefined],
          ['Pay before', payBefore ? <PayBefore key="before" at={payBefore} /> : undefined],
          ['Paid at', paidAt ? <When key="paid" at={paidAt} /> : undefined],
          ['Payment reference', withdrawal.paymentReference ?? undefined, { copy: withdrawal.paymentReference }],
          ['Note', withdrawal.note ?? undefined],
        ]}
      />
    </Section>
  )
}

/** Where it goes: who pays it copies from here. */
const DestinationFacts = ({ destination: { kind, reference, holder } }: Pick<WithdrawalRecord, 'destination'>) => (
  <Section title="Destination">
    <Facts
      items={[
        ['Kind', humanize(kind)],
        ['Reference', <code key="reference">{reference}</code>, { copy: reference }],
        ['Holder', holder, { copy: holder }],
      ]}
    />
  </Section>
)

const RejectionFacts = ({ withdrawal: { rejectionDetail, rejectionNote } }: { withdrawal: WithdrawalRecord }) =>
  rejectionDetail && (
    <Section title="Rejected">
      <Facts
        items={[
          ['What the client is told', rejectionDetail],
          ['Internal note', rejectionNote],
        ]}
      />
    </Section>
  )

/** From the fifth day on the page says that the approval is about to lapse. */
const PayNotice = ({ at }: { at: string }) =>
  isSoon(at) ? (
    <Alert color="yellow" variant="light" mb="md" title="Not paid yet">
      The approval lapses {formatAgo(at)}; then it has to be approved again.
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
          <Button
            leftSection={<IconCheck size={16} />}
            {...(refused && { 'data-disabled': true, 'aria-disabled': true })}
            onClick={() => {
              if (!refused) onAsk('approve')
            }}
          >
            Approve
          </Button>
        </Tooltip>
      )}
      {status === 'approved' && manager && (
        <Button leftSection={<IconSend size={16} />} onClick={() => onAsk('pay')}>
          Mark as paid
        </Button>
      )}
      {(requested || status === 'approved') && manager && (
        <Button variant="default" leftSection={<IconX size={16} />} onClick={() => onAsk('reject')}>
          Reject
        </Button>
      )}
      <MoreMenu
        label="More"
        wide
        actions={[
          requested &&
            can('operator') && {
              label: 'Cancel for the client',
              icon: <IconArrowBackUp size={16} />,
              onClick: () => onAsk('cancel'),
            },
        ]}
      />
    </>
  )
}
