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
import { say } from './words.ts'

const FILTERS: readonly FilterOf<'mails.list'>[] = [
  {
    key: 'status',
    label: say('field.status'),
    options: choices(MAIL_LABELS),
  },
  { key: 'recipient', label: say('mail.exact_address') },
]

const COLUMNS: readonly Column<Mail>[] = [
  { key: 'subject', title: say('mail.subject'), render: ({ subject }) => subject },
  {
    key: 'status',
    title: say('field.status'),
    render: ({ status }) => <StatusBadge status={status} label={MAIL_LABELS[status]} tone={TONES[status]} />,
  },
  { key: 'recipient', title: say('common.to'), wide: true, render: ({ recipient }) => recipient },
  {
    key: 'createdAt',
    title: say('mail.written'),
    sort: 'createdAt',
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} />,
  },
  {
    key: 'expiresAt',
    title: say('mail.removed'),
    wide: true,
    render: ({ expiresAt }) => <When at={expiresAt} as="ago" />,
  },
]

const TONES = { held: 'wait', queued: 'info', sent: 'good', failed: 'bad' } as const

/** Outgoing mail; without a mail server it waits here to be read. */
export const MailList = () => {
  const [shown, setShown] = useState<string | null>(null)
  return (
    <Page title={say('mail.mail')} subtitle={say('mail.invitations_links_without_mail')}>
      <DataList
        id="mail"
        label={say('mail.mail')}
        fetch={fetchMails}
        columns={COLUMNS}
        filters={FILTERS}
        onOpen={({ id }) => setShown(id)}
        empty={<EmptyState title={say('mail.no_mail')}>{say('mail.mail_stays_here_as')}</EmptyState>}
      />
      <MailDrawer id={shown} onClose={() => setShown(null)} />
    </Page>
  )
}
