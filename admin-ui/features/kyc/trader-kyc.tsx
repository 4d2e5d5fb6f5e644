import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUpload } from '@tabler/icons-react'
import type { Page, Query } from '../../api.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { When } from '../../components/when.tsx'
import { useCan } from '../../lib/session.ts'
import { traderName } from '../traders/trader-names.ts'
import type { Trader } from '../traders/traders.api.ts'
import { fetchSubmissions, type NamedSubmission } from './kyc.api.ts'
import { SUBMISSION_COLUMNS } from './kyc-words.tsx'
import { UploadForm } from './upload-form.tsx'

const COLUMNS = [
  { key: 'handed', title: 'Handed in', render: ({ createdAt }: NamedSubmission) => <When at={createdAt} /> },
  ...SUBMISSION_COLUMNS.filter(({ key }) => key !== 'trader' && key !== 'createdAt'),
]

/** The papers of one client. */
export const TraderKyc = ({ trader }: { trader: Trader }) => {
  const can = useCan()
  const [opened, { open, close }] = useDisclosure()
  const name = traderName(trader)
  const fetchOwn = async (query: Query): Promise<Page<NamedSubmission>> => {
    const page = await fetchSubmissions(query)
    return { ...page, data: page.data.map((row) => ({ ...row, traderName: name })) }
  }
  return (
    <Stack gap="sm">
      <Group justify="flex-end">
        {can('operator') && trader.deletedAt === null && (
          <Button leftSection={<IconUpload size={16} />} onClick={open}>
            Hand papers in
          </Button>
        )}
      </Group>
      <DataList
        id="kyc"
        label="Submissions"
        fetch={fetchOwn}
        columns={COLUMNS}
        fixed={{ traderId: trader.id }}
        href={({ id }) => `/kyc/${id}`}
        plain
        empty={<EmptyState title="No papers yet">Nothing has been handed in for this client.</EmptyState>}
      />
      {opened && <UploadForm trader={{ id: trader.id, name }} onClose={close} />}
    </Stack>
  )
}
