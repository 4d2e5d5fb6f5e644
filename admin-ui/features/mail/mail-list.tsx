import { useState } from 'react'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Page } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { choices } from '../../lib/choices.ts'
import type { FilterOf } from '../../lib/filters.ts'
import { fetchMails, type Mail } from './mail.api.ts'
import { MAIL_LABELS, MailDrawer } from './mail-drawer.tsx'

const FILTERS: readonly FilterOf<'mails.list'>[] = [
  {
    key: 'status',
    label: 'Status',
    options: choices(MAIL_LABELS),
  },
  { key: 'recipient', label: 'Exact address' },
]

const COLUMNS: readonly Column<Mail>[] = [
  { key: 'subject', title: 'Subject', render: ({ subject }) => subject },
  {
    key: 'status',
    title: 'Status',
    render: ({ status }) => <StatusBadge status={status} label={MAIL_LABELS[status]} tone={TONES[status]} />,
  },
  { key: 'recipient', title: 'To', wide: true, render: ({ recipient }) => recipient },
  {
    key: 'createdAt',
    title: 'Written',
    sort: 'createdAt',
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} />,
  },
  {
    key: 'expiresAt',
    title: 'Removed',
    wide: true,
    render: ({ expiresAt }) => <When at={expiresAt} as="ago" />,
  },
]

const TONES = { held: 'wait', queued: 'info', sent: 'good', failed: 'bad' } as const

/** Outgoing mail; without a mail server it waits here to be read. */
export const MailList = () => {
  const [shown, setShown] = useState<string | null>(null)
  return (
    <Page
      title="Mail"
      subtitle="Invitations and links. Without a mail server they wait here, for you to pass on yourself."
    >
      <DataList
        id="mail"
        label="Mail"
        fetch={fetchMails}
        columns={COLUMNS}
        filters={FILTERS}
        onOpen={({ id }) => setShown(id)}
        empty={<EmptyState title="No mail">A mail stays here as long as the link in it works.</EmptyState>}
      />
      <MailDrawer id={shown} onClose={() => setShown(null)} />
    </Page>
  )
}
