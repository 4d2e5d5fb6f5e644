import { Button, Kbd, SegmentedControl, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowBackUp, IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ReasonForm } from '../../components/reason-form.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import { Section } from '../../components/section.tsx'
import { When } from '../../components/when.tsx'
import { useCan } from '../../lib/session.ts'
import { useAsked } from '../../lib/use-asked.ts'
import { useDecided } from '../../lib/use-decided.ts'
import { useRecord } from '../../lib/use-record.ts'
import { traderName } from '../traders/trader-names.ts'
import { fetchTrader, type Trader } from '../traders/traders.api.ts'
import { DocumentViewer } from './document-viewer.tsx'
import { approveSubmission, fetchSubmission, rejectSubmission, type SubmissionRecord } from './kyc.api.ts'
import { KycFacts } from './kyc-facts.tsx'
import { SubmissionStatus } from './kyc-words.tsx'
import { paperNames } from './paper-names.ts'
import { RejectForm } from './reject-form.tsx'
import { RevokeForm } from './revoke-form.tsx'

/** One submission: the papers, the client's data beside them, and the decision. */
export const KycPage = () => {
  const { id = '' } = useParams({ strict: false })
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
  const { asked, record, ask, close } = useAsked<'approve' | 'reject' | 'revoke', SubmissionRecord>(submission)
  const [shown, setShown] = useState(submission.documents[0]?.id ?? '')
  const document = submission.documents.find(({ id }) => id === shown)
  const names = paperNames(submission.documents)
  const name = names.get(shown) ?? ''
  const open = submission.status === 'requested' && can('manager')
  const revocable = submission.status === 'approved' && can('manager')
  const decide = (decision: 'approve' | 'reject') => (): void => {
    if (open && asked === null) ask(decision)
  }
  useHotkeys([
    ['a', decide('approve')],
    ['r', decide('reject')],
  ])
  const { reload, done } = useDecided('kyc', close)
  return (
    <RecordPage
      title={traderName(trader)}
      back={{ to: '/kyc', label: 'KYC' }}
      status={<SubmissionStatus submission={submission} />}
      subtitle={
        <>
          For level {submission.level}, handed in <When at={submission.createdAt} as="ago" />
        </>
      }
      actions={
        revocable ? (
          <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={() => ask('revoke')}>
            Revoke approval
          </Button>
        ) : (
          open && (
            <>
              <Button
                leftSection={<IconCheck size={16} />}
                rightSection={<Kbd size="xs">A</Kbd>}
                onClick={decide('approve')}
              >
                Approve
              </Button>
              <Button
                variant="default"
                leftSection={<IconX size={16} />}
                rightSection={<Kbd size="xs">R</Kbd>}
                onClick={decide('reject')}
              >
                Reject
              </Button>
            </>
          )
        )
      }
    >
      <div className="review">
        <Section title="Papers" description="Every view is written to the audit log.">
          {submission.documents.length > 1 && (
            <SegmentedControl
              fullWidth
              mb="sm"
              aria-label="Paper"
              className="papers"
              data={[...names].map(([value, label]) => ({ value, label }))}
              value={shown}
              onChange={setShown}
            />
          )}
          {document ? (
            <>
              {submission.documents.length === 1 && (
                <Text size="sm" fw={500} mb={6}>
                  {name}
                </Text>
              )}
              <DocumentViewer document={document} name={name} />
            </>
          ) : (
            <EmptyState title="No papers">They were erased, or none were handed in.</EmptyState>
          )}
        </Section>
        <Stack gap="md">
          <KycFacts submission={submission} trader={trader} />
        </Stack>
      </div>
      {asked === 'approve' && (
        <ReasonForm
          title="Approve these papers"
          submitLabel="Approve"
          label="Note"
          description="For colleagues"
          submit={(note) => approveSubmission(record, note)}
          onDone={() => done(`Approved for level ${record.level}.`)}
          onClose={close}
          onReload={reload}
        >
          <Text size="sm">
            <b>{traderName(trader)}</b> gets identity level {record.level}.
          </Text>
        </ReasonForm>
      )}
      {asked === 'revoke' && (
        <RevokeForm
          submission={record}
          name={traderName(trader)}
          onDone={() => done('Approval revoked.')}
          onClose={close}
          onReload={reload}
        />
      )}
      {asked === 'reject' && (
        <RejectForm
          title="Reject these papers"
          submit={(rejection) => rejectSubmission(record, rejection)}
          onDone={() => done('Papers rejected.')}
          onClose={close}
          onReload={reload}
        />
      )}
    </RecordPage>
  )
}
