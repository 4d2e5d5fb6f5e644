import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { ReasonForm } from '../../../components/forms/reason-form.tsx'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { fetchKeptRecords, type KeptRecord, openKeptRecord } from './kept-records.api.ts'
import { say } from './words.ts'

const REASONS: Record<KeptRecord['reason'], string> = {
  documents: say('kept-records.reason.documents'),
  money: say('kept-records.reason.money'),
  documents_and_money: say('kept-records.reason.both'),
}

const columnsWith = (open: (id: string) => void): readonly Column<KeptRecord>[] => [
  { key: 'id', title: say('kept-records.number'), render: ({ id }) => id },
  { key: 'reason', title: say('kept-records.reason.label'), render: ({ reason }) => REASONS[reason] },
  {
    key: 'createdAt',
    title: say('kept-records.sealed_at'),
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} />,
  },
  { key: 'keptUntil', title: say('kept-records.until'), render: ({ keptUntil }) => <When at={keptUntil} /> },
  {
    key: 'open',
    title: '',
    align: 'right',
    width: 96,
    render: ({ id }) => (
      <Button variant="default" size="xs" aria-label={say('kept-records.open_one', { id })} onClick={() => open(id)}>
        {say('kept-records.open')}
      </Button>
    ),
  },
]

/** Lists by number the records of erased clients that the law requires, and opens one. */
export const KeptRecords = () => {
  const [opening, setOpening] = useState<string | null>(null)
  const close = () => setOpening(null)
  return (
    <Page title={say('kept-records.title')} subtitle={say('kept-records.about')}>
      <DataList
        id="kept-records"
        label={say('kept-records.title')}
        fetch={fetchKeptRecords}
        columns={columnsWith(setOpening)}
        empty={<EmptyState title={say('kept-records.none')}>{say('kept-records.none_about')}</EmptyState>}
      />
      {opening !== null && (
        <ReasonForm
          title={say('kept-records.open_title')}
          submitLabel={say('kept-records.open')}
          label={say('kept-records.open_reason')}
          missing={say('kept-records.open_missing')}
          submit={(reason) => openKeptRecord(opening, reason)}
          onDone={() => {
            notify(say('kept-records.opened'))
            close()
          }}
          onClose={close}
        >
          <Text size="sm">{say('kept-records.open_about')}</Text>
        </ReasonForm>
      )}
    </Page>
  )
}
