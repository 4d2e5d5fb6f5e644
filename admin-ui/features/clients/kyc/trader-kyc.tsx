import { IconUpload } from '@tabler/icons-react'
import { DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import type { ClientAct, ClientTab } from '../traders/client-tab.ts'
import { TraderRecords } from '../traders/trader-records.tsx'
import type { Trader } from '../traders/traders.api.ts'
import { fetchSubmissions, type NamedSubmission } from './kyc.api.ts'
import { SUBMISSION_COLUMNS } from './kyc-words.tsx'
import { UploadForm } from './upload-form.tsx'
import { say } from './words.ts'

const COLUMNS = [
  {
    key: 'handed',
    title: say('kyc.submitted.label'),
    render: ({ createdAt }: NamedSubmission) => <When at={createdAt} />,
  },
  ...SUBMISSION_COLUMNS.filter(({ key }) => key !== 'trader' && key !== 'createdAt'),
]

const UPLOAD: ClientAct = {
  label: say('kyc.upload.title'),
  icon: <IconUpload size={16} />,
  form: (client, close) => <UploadForm trader={client} onClose={close} />,
}

const TraderKyc = ({ trader }: { trader: Trader }) => (
  <TraderRecords trader={trader} act={UPLOAD}>
    <DataList
      id="kyc"
      label={say('kyc.submissions')}
      fetch={fetchSubmissions}
      columns={COLUMNS}
      fixed={{ traderId: trader.id }}
      href={({ id }) => `/kyc/${id}`}
      plain
      empty={<EmptyState title={say('kyc.empty.title')}>{say('kyc.empty.about_client')}</EmptyState>}
    />
  </TraderRecords>
)

export const kycTab: ClientTab = {
  key: 'kyc',
  label: say('kyc.kyc'),
  records: 'kyc',
  act: UPLOAD,
  panel: (trader) => <TraderKyc trader={trader} />,
}
