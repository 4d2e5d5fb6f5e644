import { Button, Stack } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ActButton } from '../../../components/page/act-button.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { RecordPage } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRecord } from '../../../lib/api/use-record.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { traderName } from '../traders/trader-names.ts'
import { fetchTrader, type Trader } from '../traders/traders.api.ts'
import { Decide, type Decision } from './decide-submission.tsx'
import { fetchSubmission, type SubmissionRecord } from './kyc.api.ts'
import { KycFacts } from './kyc-facts.tsx'
import { SubmissionStatus } from './kyc-words.tsx'
import { Papers } from './papers-section.tsx'
import { say, tell } from './words.ts'

/** Shows one submission: the documents, the client's data beside them, and the decision. */
export const KycPage = () => {
  const { id = '' } = useParams({ strict: false })
  return <OpenSubmission id={id} />
}

/** Shows a submission on its page, or beside the list. */
export const OpenSubmission = ({ id }: { id: string }) => {
  const submission = useRecord('kyc', id, fetchSubmission)
  return <Loaded query={submission}>{(data) => <WithTrader submission={data} />}</Loaded>
}

const WithTrader = ({ submission }: { submission: SubmissionRecord }) => {
  const { traderId } = submission
  const trader = useQuery({ queryKey: ['traders', 'one', traderId], queryFn: () => fetchTrader(traderId) })
  return <Loaded query={trader}>{(data) => <Review submission={submission} trader={data} />}</Loaded>
}

const Review = ({ submission, trader }: { submission: SubmissionRecord; trader: Trader }) => {
  const can = useCan()
  const { asked, record, ask, close } = useAsked<Decision, SubmissionRecord>(submission)
  const isOpen = submission.status === 'requested' && can('manager')
  return (
    <RecordPage
      title={traderName(trader)}
      back={{ to: '/kyc', label: say('kyc.kyc') }}
      status={<SubmissionStatus submission={submission} />}
      subtitle={tell('kyc.page.subtitle', {
        level: submission.level,
        when: <When at={submission.createdAt} as="ago" />,
      })}
      actions={
        <>
          {isOpen && <DecisionButtons onDecide={ask} />}
          {submission.status === 'approved' && can('manager') && (
            <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={() => ask('revoke')}>
              {say('kyc.revoke.action')}
            </Button>
          )}
        </>
      }
    >
      <div className="review">
        <Papers documents={submission.documents} />
        <Stack gap="md">
          <KycFacts submission={submission} trader={trader} />
        </Stack>
      </div>
      {asked && <Decide as={asked} submission={record} name={traderName(trader)} onClose={close} />}
    </RecordPage>
  )
}

/** Shows the buttons of the two decisions, each with its key. */
const DecisionButtons = ({ onDecide }: { onDecide: (decision: Decision) => void }) => (
  <>
    <ActButton hotkey="a" leftSection={<IconCheck size={16} />} onClick={() => onDecide('approve')}>
      {say('common.approve')}
    </ActButton>
    <ActButton hotkey="r" variant="default" leftSection={<IconX size={16} />} onClick={() => onDecide('reject')}>
      {say('common.reject')}
    </ActButton>
  </>
)
