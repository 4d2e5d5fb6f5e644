import { useDisclosure } from '@mantine/hooks'
import { IconChecks, IconUpload, IconX } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import type { Asked } from '../../../components/lists/list-acts.tsx'
import { OneRecord, settleAll, useRowRecord } from '../../../components/lists/one-record.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { queueSort } from '../../../lib/lists/filters.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { shownName } from '../traders/trader-names.ts'
import { Decide } from './decide-submission.tsx'
import { fetchSubmission, fetchSubmissions, type NamedSubmission } from './kyc.api.ts'
import { KycBulk } from './kyc-bulk.tsx'
import { SUBMISSION_COLUMNS, SUBMISSION_FILTERS } from './kyc-words.tsx'
import { UploadForm } from './upload-form.tsx'
import { isWaiting } from './waiting.ts'
import { say } from './words.ts'

/** One call takes at most this many clients. */
const MOST_DECIDED = 500

/** The page's own code, which is loaded when a row is shown beside the list. */
const OpenSubmission = lazy(async () => ({ default: (await import('./kyc-page.tsx')).OpenSubmission }))

type Chosen = Asked<NamedSubmission> & { kind: 'approve' | 'reject' }

/** Lists the submissions that wait for a decision, and those that are decided. */
export const KycList = () => {
  const can = useCan()
  const [opened, { open, close }] = useDisclosure()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  return (
    <Page
      title={say('kyc.kyc')}
      subtitle={say('kyc.about')}
      actions={
        can('operator') && (
          <NewButton icon={<IconUpload size={16} />} onClick={open}>
            {say('kyc.upload.title')}
          </NewButton>
        )
      }
    >
      <Submissions onDecide={setChosen} />
      {opened && <UploadForm onClose={close} />}
      {chosen && <DecideChosen chosen={chosen} onClose={() => setChosen(null)} />}
    </Page>
  )
}

type DecideProps = { chosen: Chosen; onClose: () => void }

/** Opens the form of one submission, or the one for several of them. */
const DecideChosen = ({ chosen, onClose }: DecideProps) => {
  const { kind, rows, settle } = chosen
  const [row] = rows
  if (row && rows.length === 1) return <DecideOne row={row} {...{ chosen, onClose }} />
  return <KycBulk kind={kind} rows={rows} onResults={settle} onClose={onClose} />
}

const DecideOne = ({ row, chosen, onClose }: DecideProps & { row: NamedSubmission }) => (
  <OneRecord
    query={useRowRecord('kyc', row.id, fetchSubmission)}
    title={say(chosen.kind === 'approve' ? 'kyc.approve.title' : 'kyc.reject.title')}
    onClose={onClose}
  >
    {(submission) => (
      <Decide
        as={chosen.kind}
        submission={submission}
        name={shownName(row.traderName)}
        onDecided={settleAll(chosen)}
        onClose={onClose}
      />
    )}
  </OneRecord>
)

/** Lists submissions as rows; those that wait can be chosen, and decided together. */
const Submissions = ({ onDecide }: { onDecide: (chosen: Chosen) => void }) => {
  const can = useCan()
  const [search] = useSearchParams()
  const decide = (kind: Chosen['kind']) => ({
    when: isWaiting,
    run: (asked: Asked<NamedSubmission>) => onDecide({ kind, ...asked }),
  })
  return (
    <DataList
      counted="count"
      id="kyc"
      file="kyc.submissions.export"
      label={say('kyc.submissions')}
      searchPlaceholder={say('lists.search_client')}
      fetch={fetchSubmissions}
      columns={SUBMISSION_COLUMNS}
      filters={SUBMISSION_FILTERS}
      usualSort={queueSort(search, SUBMISSION_FILTERS)}
      href={({ id }) => `/kyc/${id}`}
      peek={({ id }) => <OpenSubmission id={id} />}
      refetchEvery={60_000}
      selectable={{ when: isWaiting, otherwise: say('kyc.decided.not_selectable') }}
      {...(can('manager') && {
        bulkMost: MOST_DECIDED,
        rowName: ({ traderName }: NamedSubmission) => shownName(traderName),
        acts: [
          { hotkey: 'a', label: say('common.approve'), icon: <IconChecks size={14} />, ...decide('approve') },
          { hotkey: 'r', label: say('common.reject'), icon: <IconX size={14} />, ...decide('reject') },
        ],
      })}
      empty={<EmptyState title={say('kyc.empty.title')}>{say('kyc.empty.about')}</EmptyState>}
      nothingWaits={<EmptyState title={say('common.empty.waiting')}>{say('kyc.empty.decided')}</EmptyState>}
    />
  )
}
